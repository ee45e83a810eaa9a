/// Why a TLS server's certificate is not trusted.
public enum CertificateDoubt: Hashable, Sendable {
    /// The certificate has expired or is not yet valid, by this machine's clock.
    case date
    /// The certificate is for another host.
    case address
    /// No authority that this machine trusts has signed the certificate, or it was revoked, or is weak.
    case issuer

    /// A short line for the screen that names what can be checked.
    var userMessage: String {
        switch self {
        case .date: "server not trusted: is the date here right?"
        case .address: "server not trusted: is its address right?"
        case .issuer: "server not trusted: certificate unknown"
        }
    }
}

extension CertificateDoubt: CustomStringConvertible {
    /// For the log.
    public var description: String {
        switch self {
        case .date: "the certificate's time is over or has not come, by this machine's clock"
        case .address: "the certificate is another host's"
        case .issuer: "nobody whom this machine trusts (ca-certificates) has signed the certificate"
        }
    }
}

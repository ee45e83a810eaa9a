/// Why a TLS server's certificate is not trusted.
public enum CertificateDoubt: Hashable, Sendable {
    /// The certificate has expired or is not yet valid, by this machine's clock.
    case date
    /// The certificate is for another host.
    case address
    /// No authority that this machine trusts has signed the certificate, or it was revoked, or is weak.
    case issuer

    /// A short line for the screen: what happened, and what to do.
    var userMessage: String {
        switch self {
        case .date: "The server is not trusted. Check the date here."
        case .address: "The server is not trusted. Check the address."
        case .issuer: "The server is not trusted. Ask whoever runs it."
        }
    }
}

extension CertificateDoubt: CustomStringConvertible {
    /// For the log.
    public var description: String {
        switch self {
        case .date: "the certificate's time is over or has not begun, by this machine's clock"
        case .address: "the certificate is another host's"
        case .issuer: "nobody whom this machine trusts (ca-certificates) has signed the certificate"
        }
    }
}

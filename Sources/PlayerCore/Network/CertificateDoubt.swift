/// Why a server that speaks TLS is not taken for the one that its address names.
public enum CertificateDoubt: Hashable, Sendable {
    /// Its certificate's time is over or has not come, by this machine's clock.
    case date
    /// Its certificate is another host's.
    case address
    /// Nobody whom this machine trusts has signed its certificate, or it was revoked, or is weak.
    case issuer

    /// For the screen, on which a line may be short: what can be looked after.
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

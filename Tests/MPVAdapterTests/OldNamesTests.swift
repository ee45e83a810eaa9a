import Control
import Testing

@testable import MPVAdapter

@Suite("Properties under the names that they had")
struct OldNamesTests {
    @Test func `a client reads and observes a property by its old name`() async throws {
        let (_, adapter) = try makePlayer()
        for (old, property) in MPVProperty.oldNames {
            #expect(MPVProperty(named: old) == property && MPVProperty(rawValue: old) == nil, "\(old)")
            let (before, now) = (try? await adapter.property(old), try? await adapter.property(property.rawValue))
            #expect(before == now, "\(old)")
        }
        #expect(Set(adapter.propertyNames).isSuperset(of: MPVProperty.oldNames.keys))
    }
}

/// An edge outside this module that passes pulses on and keeps nothing: when a pulse is over, the node that it leads to is as it was
/// before. An edge that passes a value on later passes on a pulse as a pulse (`isCalledByPulse`).
package protocol PulsePasser: AnyEdge {}

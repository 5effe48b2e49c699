/**
 * Base of every error that this package throws on purpose. `code` is stable and safe to branch on; `message` is a sentence
 * for people and may change. Concrete errors live beside the code that throws them.
 */
export abstract class ProtocolError extends Error {
  abstract readonly code: string;
}

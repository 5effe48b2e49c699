/** A place in the log of writes (WAL), in bytes from its beginning. */
export type WalPosition = bigint;

/** As PostgreSQL writes it: two halves of 32 bits. */
const LSN = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/;
/** As clients carry it. */
const TOKEN = /^w[0-9a-f]{16}$/;

/** @throws Error when PostgreSQL did not answer a position. */
export function parseLsn(text: string): WalPosition {
  const [, high, low] = LSN.exec(text) ?? [];
  if (high === undefined || low === undefined) throw new Error(`Not a WAL position: ${text}`);
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

/** The form in which an answer names it. The later of two is the greater text. */
export function positionToken(position: WalPosition): string {
  return `w${position.toString(16).padStart(16, "0")}`;
}

/** Null for what is no position. */
export function parsePositionToken(token: string): WalPosition | null {
  return TOKEN.test(token) ? BigInt(`0x${token.slice(1)}`) : null;
}

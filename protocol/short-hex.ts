/** An address or hash by its beginning and end, for readers who recognise it rather than compare it. */
export const shortHex = (hex: string): string => `${hex.slice(0, 6)}…${hex.slice(-4)}`;

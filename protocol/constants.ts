/** Service segment of every name that this service defines: DIDs, keys, headers and metadata. */
export const SERVICE_SEGMENT = "svc";

/** The segment as it is written in the names of registration-file services and in header names. */
export const SERVICE_LABEL = "Svc";

/** Version of the protocol specification that this code implements. */
export const SPEC_VERSION = "0.4";

/** Thirty-two zero bytes: "no hash". */
export const ZERO_HASH = "0x0000000000000000000000000000000000000000000000000000000000000000";

/** The zero address: "no account". */
export const ZERO_ADDRESS = "0x0000000000000000000000000000000000000000";

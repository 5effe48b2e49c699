// Whether a public key is a valid curve point. Not constant-time: public keys are not secret.

const P256 = 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n;
const P256_B = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn;

/** Whether these big-endian coordinates are a point of P-256 (FIPS 186-5). */
export function isP256Point(xBytes: Uint8Array, yBytes: Uint8Array): boolean {
  const x = bigEndian(xBytes);
  const y = bigEndian(yBytes);
  if (x >= P256 || y >= P256) return false;
  return modulo(y * y - (x * x * x - 3n * x + P256_B), P256) === 0n;
}

const SECP256K1 = 2n ** 256n - 2n ** 32n - 977n;

/**
 * Whether these bytes are a point of secp256k1 (SEC 2), compressed (33 bytes) or uncompressed (65
 * bytes, first byte 4), as SEC 1 encodes it. Every such point has the curve's prime order.
 */
export function isSecp256k1Key(key: Uint8Array): boolean {
  const [form] = key;
  const x = bigEndian(key.subarray(1, 33));
  if (x >= SECP256K1) return false;
  const square = modulo(x * x * x + 7n, SECP256K1);
  if (key.length === 33 && (form === 2 || form === 3)) {
    // Euler's criterion: whether the square has a root. None of the curve's points has y = 0.
    return power(square, (SECP256K1 - 1n) / 2n, SECP256K1) === 1n;
  }
  if (key.length !== 65 || form !== 4) return false;
  const y = bigEndian(key.subarray(33));
  return y < SECP256K1 && modulo(y * y, SECP256K1) === square;
}

const P25519 = 2n ** 255n - 19n;
const D25519 = modulo(-121665n * inverse(121666n, P25519), P25519);
const ROOT_OF_MINUS_ONE = power(2n, (P25519 - 1n) / 4n, P25519);

/**
 * Whether these 32 bytes are an Ed25519 public key: the encoding of a point (RFC 8032, section
 * 5.1.3), and not one of the eight points of small order, under which signatures of anything can be
 * made without a private key.
 */
export function isEd25519Key(key: Uint8Array): boolean {
  const encoded = bigEndian(Uint8Array.from(key).reverse());
  const sign = encoded >> 255n;
  const y = encoded & (2n ** 255n - 1n);
  if (y >= P25519) return false;
  const u = modulo(y * y - 1n, P25519);
  const v = modulo(D25519 * y * y + 1n, P25519);
  const square = modulo(u * inverse(v, P25519), P25519);
  const candidate = power(square, (P25519 + 3n) / 8n, P25519);
  const root = [candidate, modulo(candidate * ROOT_OF_MINUS_ONE, P25519)].find(
    (one) => modulo(one * one - square, P25519) === 0n,
  );
  if (root === undefined || (root === 0n && sign === 1n)) return false;
  // The sign does not change the order.
  let point = { x: root, y };
  for (let doubling = 0; doubling < 3; doubling += 1) point = doubled(point);
  return point.x !== 0n || point.y !== 1n;
}

interface Point {
  readonly x: bigint;
  readonly y: bigint;
}

/** Of Edwards curve 25519 (RFC 8032, section 5.1.4, in affine coordinates). */
function doubled({ x, y }: Point): Point {
  const product = modulo(D25519 * x * x * y * y, P25519);
  return {
    x: modulo(2n * x * y * inverse(1n + product, P25519), P25519),
    y: modulo((y * y + x * x) * inverse(1n - product, P25519), P25519),
  };
}

function bigEndian(bytes: Uint8Array): bigint {
  return bytes.reduce((number, byte) => number * 256n + BigInt(byte), 0n);
}

function modulo(value: bigint, prime: bigint): bigint {
  const rest = value % prime;
  return rest < 0n ? rest + prime : rest;
}

function inverse(value: bigint, prime: bigint): bigint {
  return power(modulo(value, prime), prime - 2n, prime);
}

function power(base: bigint, exponent: bigint, prime: bigint): bigint {
  let result = 1n;
  let square = modulo(base, prime);
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % prime;
    square = (square * square) % prime;
  }
  return result;
}

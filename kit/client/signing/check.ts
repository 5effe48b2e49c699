import type { Address } from "viem";
import { PERMIT_TYPES } from "../../../protocol/permit.ts";
import { SIGNED_TYPES } from "../../../protocol/signed-messages.ts";
import { domainVersion } from "../../../protocol/typed-data.ts";
import { ApiError } from "../api-error.ts";
import { contractOf, type SigningDeployment } from "./deployment.ts";
import type { TypedData } from "./signer.ts";

export type Fields = Readonly<Record<string, unknown>>;
type Structs = Readonly<
  Record<string, readonly { readonly name: string; readonly type: string }[]>
>;

/** What the client has worked out itself about a message that it is asked to sign. */
export interface Meaning {
  /** The messages that the operation may ask for, as `SoulRegistry.Burn`. */
  readonly messages: readonly string[];
  /** The fields that the client knows. */
  readonly fields: (message: Fields) => Fields;
  /** The longest time until the deadline, in seconds. */
  readonly maxSeconds: number;
  readonly deployment: SigningDeployment;
  readonly operation: string;
}

/** Typed data of the client's own making, and the fields whose values it cannot know. */
export interface CheckedMessage {
  readonly typedData: TypedData;
  readonly unverified: Fields;
}

/**
 * The state that a decision is about: a wrong value makes the contract refuse the signature, and
 * cannot change what it permits.
 */
const STATE: ReadonlySet<string> = new Set([
  "epoch",
  "nonce",
  "observedBlock",
  "previousArchiveId",
  "previousSoulHash",
  "previousURIHash",
  "toEpoch",
  "version",
]);

/** Clocks differ. */
const SKEW_SECONDS = 300;

/**
 * Rebuilds the typed data from the protocol's types and the trusted deployment. Only values of the
 * message come from the service, and those that the client knows must be equal.
 *
 * @throws ApiError UNSAFE_TO_SIGN
 */
export function checkedMessage(answer: unknown, meaning: Meaning): CheckedMessage {
  const unsafe = (why: string) => refusal(meaning.operation, why);
  const { domain, types, primaryType, message } = fieldsOf(answer);
  const given = fieldsOf(domain);
  const contract = String(given.name);
  const name = `${contract}.${String(primaryType)}`;
  if (!meaning.messages.includes(name)) {
    throw unsafe(
      `The message is ${name.slice(0, 100)}, and must be ${meaning.messages.join(" or ")}.`,
    );
  }
  const structs = structsOf(contract, String(primaryType));
  const key = `${contract.charAt(0).toLowerCase()}${contract.slice(1)}`;
  const trusted = {
    name: contract,
    version: domainVersion(contract),
    chainId: meaning.deployment.chainId,
    verifyingContract: contractOf(meaning.deployment, key),
  };
  assertDomain(given, trusted, unsafe);
  assertTypes(types, structs, unsafe);
  const struct = String(primaryType);
  // The client's own values are computed from some of these.
  assertForm(fieldsOf(message), { structs, struct, unsafe });
  const known = meaning.fields(fieldsOf(message));
  const checked = assertFields(fieldsOf(message), { structs, struct, known, unsafe });
  assertDeadline(checked.message.deadline, meaning.maxSeconds, unsafe);
  return {
    typedData: {
      domain: trusted,
      types: structs,
      primaryType: struct,
      message: checked.message,
    },
    unverified: checked.unverified,
  };
}

/**
 * The same for the permit of a stablecoin. Name and version of its domain are the token's own: a
 * wrong one makes the signature invalid.
 *
 * @throws ApiError UNSAFE_TO_SIGN
 */
export function checkedPermit(
  answer: unknown,
  permit: {
    readonly owner: Address;
    readonly value: unknown;
    readonly deployment: SigningDeployment;
    readonly operation: string;
  },
): TypedData {
  const { deployment, operation, owner, value } = permit;
  const unsafe = (why: string) => refusal(operation, why);
  const { domain, types, primaryType, message } = fieldsOf(answer);
  if (primaryType !== "Permit") throw unsafe("The second message is not a Permit.");
  const { name, version } = fieldsOf(domain);
  const trusted = {
    name: String(name),
    version: String(version),
    chainId: deployment.chainId,
    verifyingContract: contractOf(deployment, "stablecoin"),
  };
  assertDomain(fieldsOf(domain), trusted, unsafe);
  assertTypes(types, PERMIT_TYPES, unsafe);
  const spender = contractOf(deployment, "allowanceVault");
  const checked = assertFields(fieldsOf(message), {
    structs: PERMIT_TYPES,
    struct: "Permit",
    known: { owner, spender, value },
    unsafe,
  });
  if (Object.keys(checked.unverified).length > 0) throw unsafe("The permit's value is not known.");
  assertDeadline(checked.message.deadline, 86_400, unsafe);
  return { domain: trusted, types: PERMIT_TYPES, primaryType: "Permit", message: checked.message };
}

type Unsafe = (why: string) => ApiError;

function refusal(operation: string, why: string): ApiError {
  return new ApiError("UNSAFE_TO_SIGN", why, { operation });
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : {};
}

/** The message's own type and those that it contains. */
function structsOf(contract: string, primaryType: string): Structs {
  const table = SIGNED_TYPES[contract as keyof typeof SIGNED_TYPES] as Structs;
  const own = table[primaryType] ?? [];
  const used = own.map(({ type }) => type.replace("[]", "")).filter((type) => type in table);
  const names = [primaryType, ...used];
  return Object.fromEntries(names.map((name) => [name, table[name] ?? []]));
}

function assertDomain(given: Fields, trusted: TypedData["domain"], unsafe: Unsafe): void {
  const names = ["name", "version", "chainId", "verifyingContract"] as const;
  for (const name of names) {
    const [one, other] = [String(given[name]), String(trusted[name])];
    if (one.toLowerCase() !== other.toLowerCase()) {
      throw unsafe(`The domain's ${name} is ${one.slice(0, 100)}, and must be ${other}.`);
    }
  }
  if (Object.keys(given).length !== names.length) throw unsafe("The domain has another field.");
}

function assertTypes(given: unknown, structs: Structs, unsafe: Unsafe): void {
  const { EIP712Domain: _domain, ...others } = fieldsOf(given);
  const names = Object.keys(structs);
  const same =
    Object.keys(others).length === names.length &&
    names.every((name) => JSON.stringify(others[name]) === JSON.stringify(structs[name]));
  if (!same) throw unsafe("The types are not the protocol's.");
}

interface Form {
  readonly structs: Structs;
  readonly struct: string;
  readonly unsafe: Unsafe;
}

/** The message has the fields of its struct, each of its type. Lists are checked with their values. */
function assertForm(message: Fields, { structs, struct, unsafe }: Form): void {
  const definition = structs[struct] ?? [];
  if (Object.keys(message).length !== definition.length) {
    throw unsafe(`The message has other fields than ${struct}.`);
  }
  for (const { name, type } of definition) {
    const value = Object.hasOwn(message, name) ? message[name] : undefined;
    if (type.endsWith("[]") || isOfType(value, type)) continue;
    throw unsafe(`The message's ${name} is not of type ${type}.`);
  }
}

function assertFields(
  message: Fields,
  expected: Form & { readonly known: Fields },
): { readonly message: Fields; readonly unverified: Fields } {
  const { structs, struct, known, unsafe } = expected;
  assertForm(message, expected);
  const checked: Record<string, unknown> = {};
  const unverified: Record<string, unknown> = {};
  for (const { name, type } of structs[struct] ?? []) {
    const value = message[name];
    const wanted = Object.hasOwn(known, name) ? known[name] : undefined;
    if (type.endsWith("[]")) {
      checked[name] = assertList(name, value, { ...expected, struct: type.slice(0, -2) }, wanted);
      continue;
    }
    checked[name] = value;
    if (wanted === undefined) {
      if (!STATE.has(name) && name !== "deadline") unverified[name] = value;
    } else if (!isEqual(value, wanted, type)) {
      throw unsafe(`The message's ${name} is not what you asked for.`);
    }
  }
  return { message: checked, unverified };
}

/** A list of structs that the client knows completely. */
function assertList(
  name: string,
  value: unknown,
  expected: Form,
  wanted: unknown,
): readonly Fields[] {
  if (!Array.isArray(value) || !Array.isArray(wanted) || value.length !== wanted.length) {
    throw expected.unsafe(`The message's ${name} are not what you asked for.`);
  }
  return value.map((entry, index) => {
    const { message, unverified } = assertFields(fieldsOf(entry), {
      ...expected,
      known: fieldsOf(wanted[index]),
    });
    const [unknown] = Object.keys(unverified);
    if (unknown === undefined) return message;
    throw expected.unsafe(`The client cannot know ${name}[${index}].${unknown}.`);
  });
}

function isOfType(value: unknown, type: string): boolean {
  if (type === "bool") return typeof value === "boolean";
  if (type === "string") return typeof value === "string";
  if (type.startsWith("uint")) {
    return (
      (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) ||
      (typeof value === "string" && /^(?:0|[1-9][0-9]{0,77})$/.test(value))
    );
  }
  if (typeof value !== "string") return false;
  if (type === "address") return /^0x[0-9a-fA-F]{40}$/.test(value);
  if (type === "bytes32") return /^0x[0-9a-fA-F]{64}$/.test(value);
  return type === "bytes" && /^0x(?:[0-9a-fA-F]{2})*$/.test(value);
}

function isEqual(value: unknown, wanted: unknown, type: string): boolean {
  if (type === "bool" || type === "string") return value === wanted;
  const [one, other] = [String(value), String(wanted)];
  if (!type.startsWith("uint")) return one.toLowerCase() === other.toLowerCase();
  return /^[0-9]{1,78}$/.test(other) && BigInt(one) === BigInt(other);
}

function assertDeadline(deadline: unknown, maxSeconds: number, unsafe: Unsafe): void {
  const latest = Math.floor(Date.now() / 1000) + maxSeconds + SKEW_SECONDS;
  if (Number(deadline) <= latest) return;
  throw unsafe(`The deadline is more than ${maxSeconds} seconds ahead.`);
}

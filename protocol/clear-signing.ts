import type { Address } from "viem";
import {
  type FieldFormat,
  NAMED_VALUES,
  SIGNED_SENTENCES,
  SIGNED_TYPES,
  type SignedContract,
  type SignedField,
  type StructFields,
  signedField,
} from "./signed-messages.ts";
import { domainVersion } from "./typed-data.ts";

// ERC-7730: how a wallet shows a message in words instead of raw data.

/** Where a contract is deployed. */
export interface DescriptorDeployment {
  readonly chainId: number;
  readonly address: Address;
}

export interface DescriptorField {
  readonly path: string;
  readonly label: string;
  readonly format: string;
  readonly params?: Readonly<Record<string, string | number>>;
}

/** The fields of each member of a list. Their paths are relative to the group's path. */
export interface DescriptorGroup {
  readonly path: string;
  readonly label: string;
  readonly fields: readonly DescriptorField[];
}

/** An ERC-7730 descriptor of a contract's messages. */
export interface ClearSigningDescriptor {
  readonly $schema: string;
  readonly context: {
    readonly $id: string;
    readonly eip712: {
      readonly domain: { readonly name: string; readonly version: string };
      /** The only deployments for which the descriptor is valid. */
      readonly deployments: readonly DescriptorDeployment[];
    };
  };
  readonly metadata: {
    readonly owner: string;
    readonly contractName: string;
    readonly enums: Readonly<Record<string, Readonly<Record<string, string>>>>;
  };
  readonly display: {
    /** By the message's EIP-712 type string. */
    readonly formats: Readonly<
      Record<
        string,
        {
          readonly $id: string;
          readonly intent: string;
          readonly fields: readonly (DescriptorField | DescriptorGroup)[];
        }
      >
    >;
  };
}

type Structs = Readonly<Record<string, StructFields>>;

const SCHEMA = "https://eips.ethereum.org/assets/eip-7730/erc7730-v2.schema.json";
const OWNER = "Agent Identity Protocol";

/** The descriptor of everything that is signed for a contract, for use at `deployments` only. */
export function clearSigningDescriptor(
  contract: SignedContract,
  deployments: readonly DescriptorDeployment[],
): ClearSigningDescriptor {
  const structs: Structs = SIGNED_TYPES[contract];
  const formats = Object.entries<string>(SIGNED_SENTENCES[contract]).map(
    ([message, intent]) =>
      [
        encodeType(message, structs),
        { $id: message, intent, fields: fieldsOf(message, structs) },
      ] as const,
  );
  const used = new Set(
    Object.values(structs)
      .flat()
      .map(({ name }) => signedField(name as SignedField).format),
  );
  const enums = Object.entries(NAMED_VALUES).filter(([name]) => used.has(name as FieldFormat));
  return {
    $schema: SCHEMA,
    context: {
      $id: `${OWNER}: ${contract}`,
      eip712: { domain: { name: contract, version: domainVersion(contract) }, deployments },
    },
    metadata: {
      owner: OWNER,
      contractName: contract,
      enums: Object.fromEntries(
        enums.map(([name, values]) => [
          name,
          Object.fromEntries(values.map((value, number) => [String(number), value])),
        ]),
      ),
    },
    display: { formats: Object.fromEntries(formats) },
  };
}

/** EIP-712's type string: the message's own struct, then those that it uses by their names. */
function encodeType(message: string, structs: Structs): string {
  const used = new Set<string>();
  const collect = (name: string) => {
    for (const { type } of structs[name] ?? []) {
      const struct = structOf(type, structs);
      if (struct === null || used.has(struct)) continue;
      used.add(struct);
      collect(struct);
    }
  };
  collect(message);
  return [message, ...[...used].sort()]
    .map((name) => {
      const fields = structs[name] ?? [];
      return `${name}(${fields.map((field) => `${field.type} ${field.name}`).join(",")})`;
    })
    .join("");
}

function fieldsOf(message: string, structs: Structs): (DescriptorField | DescriptorGroup)[] {
  return (structs[message] ?? []).map(({ name: path, type }) => {
    const { label, format } = signedField(path as SignedField);
    const struct = structOf(type, structs);
    if (struct === null) return { path, label, ...shownAs(format) };
    // One level exists, and small wallets support no more.
    const fields = fieldsOf(struct, structs) as DescriptorField[];
    return { path: `${path}.[]`, label, fields };
  });
}

/** The struct that a list's members are; null for a type of any other kind. */
function structOf(type: string, structs: Structs): string | null {
  const name = type.slice(0, -"[]".length);
  return type.endsWith("[]") && Object.hasOwn(structs, name) ? name : null;
}

function shownAs(format: FieldFormat): Pick<DescriptorField, "format" | "params"> {
  switch (format) {
    case "raw":
      return { format: "raw" };
    case "account":
      return { format: "addressName" };
    case "moment":
      return { format: "date", params: { encoding: "timestamp" } };
    case "usd":
      return { format: "unit", params: { base: "USDC", decimals: 6 } };
    default:
      return { format: "enum", params: { $ref: `$.metadata.enums.${format}` } };
  }
}

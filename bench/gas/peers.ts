import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Abi, type Hex, parseAbi } from "viem";

/** A compiled contract, ready to be deployed. */
export interface Compiled {
  readonly abi: Abi;
  readonly bytecode: Hex;
}

/**
 * Gas from receipts of contracts without an npm package: a transfer by Safe's allowance module, and
 * the second spend of a period by Coinbase's SpendPermissionManager. Both transfer an ERC-20 to a
 * recipient that already holds some.
 */
export const QUOTED = { safeAllowanceTransfer: 65_190, coinbaseSecondSpend: 75_995 } as const;

const require = createRequire(import.meta.url);

/** EAS's contracts as their authors compiled them. @throws Error when bench/ is not installed. */
export function easContract(name: "EAS" | "SchemaRegistry"): Compiled {
  const path = `@ethereum-attestation-service/eas-contracts/artifacts/contracts/${name}.sol/${name}.json`;
  try {
    return JSON.parse(readFileSync(require.resolve(path), "utf8"));
  } catch (cause) {
    throw new Error("The peers are not installed: npm ci --prefix bench", { cause });
  }
}

/** The ERC-721 of PlainCertificate.sol, compiled with the product's compiler and settings. */
export function plainCertificate(settings: object): Compiled {
  const source = "PlainCertificate.sol";
  const input = {
    language: "Solidity",
    sources: {
      [source]: { content: readFileSync(new URL(source, import.meta.url), "utf8") },
    },
    settings: {
      ...settings,
      outputSelection: { [source]: { "*": ["abi", "evm.bytecode.object"] } },
    },
  };
  const compiled = JSON.parse(
    require("solc").compile(JSON.stringify(input), { import: importedSource }),
  );
  const contract = compiled.contracts?.[source]?.PlainCertificate;
  if (contract === undefined) throw new Error(JSON.stringify(compiled.errors));
  return { abi: contract.abi, bytecode: `0x${contract.evm.bytecode.object}` };
}

function importedSource(path: string) {
  const file = require.resolve(path);
  return existsSync(file) ? { contents: readFileSync(file, "utf8") } : { error: `No ${path}` };
}

export const plainCertificateAbi = parseAbi(["function mint(address to, uint256 tokenId)"]);

export const schemaRegistryAbi = parseAbi([
  "function register(string schema, address resolver, bool revocable) returns (bytes32)",
  "event Registered(bytes32 indexed uid, address indexed registerer, (bytes32 uid, address resolver, bool revocable, string schema) schema)",
]);

export const easAbi = parseAbi([
  "struct AttestationRequestData { address recipient; uint64 expirationTime; bool revocable; bytes32 refUID; bytes data; uint256 value; }",
  "struct AttestationRequest { bytes32 schema; AttestationRequestData data; }",
  "struct MultiAttestationRequest { bytes32 schema; AttestationRequestData[] data; }",
  "function attest(AttestationRequest request) payable returns (bytes32)",
  "function multiAttest(MultiAttestationRequest[] requests) payable returns (bytes32[])",
]);

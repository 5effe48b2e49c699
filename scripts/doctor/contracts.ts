import { type Abi, type Address, formatEther, type PublicClient } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import type { Deployment } from "../../api/platform/config/deployment.ts";
import {
  agentKeysAbi,
  alignmentRegistryAbi,
  allowanceVaultAbi,
  bindingRegistryAbi,
  chronicleAnchorAbi,
  organizationRegistryAbi,
  passportWriterAbi,
  soulCertificateAbi,
  soulRegistryAbi,
} from "../../protocol/generated/abi.ts";
import { type Finding, fault, ok, warning } from "./finding.ts";

type ContractName = keyof Deployment["contracts"];

/** What the relayer signs for, by the contract that demands the role. */
const ROLES: readonly (readonly [ContractName, Abi, role: string, option: string])[] = [
  ["soulRegistry", soulRegistryAbi, "REGISTRAR_ROLE", "--registrar"],
  ["bindingRegistry", bindingRegistryAbi, "BINDER_ROLE", "--binder"],
  ["chronicleAnchor", chronicleAnchorAbi, "ANCHOR_ROLE", "--anchorer"],
  ["alignmentRegistry", alignmentRegistryAbi, "ALIGNMENT_ROLE", "--recorder"],
];

/** Contracts that name the soul registry. */
const MEMBERS: readonly (readonly [ContractName, Abi])[] = [
  ["soulCertificate", soulCertificateAbi],
  ["organizationRegistry", organizationRegistryAbi],
  ["passportWriter", passportWriterAbi],
  ["bindingRegistry", bindingRegistryAbi],
  ["alignmentRegistry", alignmentRegistryAbi],
  ["agentKeys", agentKeysAbi],
  ["allowanceVault", allowanceVaultAbi],
];

/** Gas of a registration. */
const REGISTRATION_GAS = 1_200_000n;
const LOW_REGISTRATIONS = 100n;

/** Whether every contract of the deployment is there, and they belong together. */
export async function checkContracts(
  client: PublicClient,
  { contracts }: Deployment,
): Promise<Finding[]> {
  const addresses = Object.entries(contracts).filter(
    (entry): entry is [string, Address] => entry[1] !== null,
  );
  const codes = await Promise.all(addresses.map(([, address]) => client.getCode({ address })));
  const absent = addresses.filter((_, index) => codes[index] === undefined);
  if (absent.length > 0) {
    return absent.map(([name, address]) =>
      fault(
        `${name} has no code at ${address}.`,
        "Set SVC_DEPLOYMENT to the file that npm run deploy wrote for this chain.",
      ),
    );
  }
  const strangers = await Promise.all(
    MEMBERS.map(async ([name, abi]) => {
      const address = contracts[name] as Address;
      const registry = await client
        .readContract({ address, abi, functionName: "SOUL_REGISTRY" })
        .catch(() => null);
      return registry === contracts.soulRegistry ? [] : [{ name, address, registry }];
    }),
  );
  const findings = strangers
    .flat()
    .map(({ name, address, registry }) =>
      fault(
        `${name} at ${address} belongs to the soul registry ${String(registry ?? "of no answer")}, not to ${contracts.soulRegistry}.`,
        "Do not edit deployment files by hand: take the one that npm run deploy wrote.",
      ),
    );
  return findings.length > 0 ? findings : [ok(`${addresses.length} contracts have code.`)];
}

/** Whether the relayer may act, can pay, and is alone on its key. */
export async function checkRelayer(
  client: PublicClient,
  { contracts }: Deployment,
  keys: { readonly relayer: Address; readonly storage: Address | undefined },
): Promise<Finding[]> {
  const { relayer: account } = keys;
  const missing = await Promise.all(
    ROLES.map(async ([name, abi, role, option]) => {
      const address = contracts[name] as Address;
      const id = await client.readContract({ address, abi, functionName: role });
      const has = await client.readContract({
        address,
        abi,
        functionName: "hasRole",
        args: [id, account],
      });
      return has === true ? [] : [{ name, address, role, id, option }];
    }),
  );
  const findings = missing
    .flat()
    .map(({ name, address, role, id, option }) =>
      fault(
        `The relayer ${account} does not have ${role} on ${name}.`,
        `The admin calls grantRole(${String(id)}, ${account}) on ${address}. For a new deployment give ${option} ${account}.`,
      ),
    );
  findings.push(...(await moneyFindings(client, account)));
  const [latest, pending] = await Promise.all([
    client.getTransactionCount({ address: account, blockTag: "latest" }),
    client.getTransactionCount({ address: account, blockTag: "pending" }),
  ]);
  if (pending > latest) {
    findings.push(
      warning(
        `The relayer ${account} has ${pending - latest} transactions that are not mined.`,
        "When the service is stopped, another program uses this key: give the service a key of its own.",
      ),
    );
  }
  if (keys.storage === account) {
    findings.push(
      warning(
        "RELAYER_PRIVATE_KEY and STORAGE_PRIVATE_KEY are one key.",
        "Use two: a stolen storage key must not have the powers of the relayer.",
      ),
    );
  }
  return findings.length > 0
    ? findings
    : [ok(`The relayer ${account} has its four roles, and money.`)];
}

async function moneyFindings(client: PublicClient, account: Address): Promise<Finding[]> {
  const [balance, price] = await Promise.all([
    client.getBalance({ address: account }),
    client.getGasPrice(),
  ]);
  const registrations = price === 0n ? LOW_REGISTRATIONS : balance / (price * REGISTRATION_GAS);
  if (registrations >= LOW_REGISTRATIONS) return [];
  const what = `The relayer ${account} has ${formatEther(balance)} ether, which pays for ${registrations} registrations at the present gas price.`;
  const remedy = `Send ether to ${account}.`;
  return [registrations === 0n ? fault(what, remedy) : warning(what, remedy)];
}

export const addressOf = (key: `0x${string}`): Address => privateKeyToAccount(key).address;

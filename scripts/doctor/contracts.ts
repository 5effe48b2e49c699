import { type Abi, type Address, formatEther, type PublicClient } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { missingRoles } from "../../api/platform/chain/lanes/service-roles.ts";
import type { Deployment } from "../../api/platform/config/deployment.ts";
import {
  agentKeysAbi,
  alignmentRegistryAbi,
  allowanceVaultAbi,
  bindingRegistryAbi,
  organizationRegistryAbi,
  passportMintAbi,
  passportWriterAbi,
  reputationRegistryAbi,
  soulCertificateAbi,
  soulRegistryAbi,
  validationRegistryAbi,
} from "../../protocol/generated/abi.ts";
import { type Finding, fault, ok, warning } from "./finding.ts";

type ContractName = keyof Deployment["contracts"];

/** Which contract names which: a file with two addresses exchanged contradicts one of these. */
const LINKS: readonly (readonly [
  from: ContractName,
  abi: Abi,
  getter: string,
  to: ContractName,
])[] = [
  ["soulCertificate", soulCertificateAbi, "SOUL_REGISTRY", "soulRegistry"],
  ["organizationRegistry", organizationRegistryAbi, "SOUL_REGISTRY", "soulRegistry"],
  ["passportWriter", passportWriterAbi, "SOUL_REGISTRY", "soulRegistry"],
  ["passportMint", passportMintAbi, "SOUL_REGISTRY", "soulRegistry"],
  ["passportWriter", passportWriterAbi, "IDENTITY_REGISTRY", "identityRegistry"],
  ["passportMint", passportMintAbi, "IDENTITY_REGISTRY", "identityRegistry"],
  ["bindingRegistry", bindingRegistryAbi, "SOUL_REGISTRY", "soulRegistry"],
  ["alignmentRegistry", alignmentRegistryAbi, "SOUL_REGISTRY", "soulRegistry"],
  ["agentKeys", agentKeysAbi, "SOUL_REGISTRY", "soulRegistry"],
  ["allowanceVault", allowanceVaultAbi, "SOUL_REGISTRY", "soulRegistry"],
  ["allowanceVault", allowanceVaultAbi, "STABLECOIN", "stablecoin"],
  ["soulRegistry", soulRegistryAbi, "IDENTITY_REGISTRY", "identityRegistry"],
  ["soulRegistry", soulRegistryAbi, "CERTIFICATE", "soulCertificate"],
  ["soulRegistry", soulRegistryAbi, "HUMAN_VERIFIERS", "humanVerifierRegistry"],
  ["soulRegistry", soulRegistryAbi, "ORGANIZATION_REGISTRY", "organizationRegistry"],
  ["soulRegistry", soulRegistryAbi, "PASSPORT_WRITER", "passportWriter"],
  ["soulRegistry", soulRegistryAbi, "PASSPORT_MINT", "passportMint"],
  ["soulRegistry", soulRegistryAbi, "REGISTRARS", "registrars"],
  ["reputationRegistry", reputationRegistryAbi, "getIdentityRegistry", "identityRegistry"],
  ["validationRegistry", validationRegistryAbi, "getIdentityRegistry", "identityRegistry"],
];

/** Both registries name the same contract. Each keeps a list that the second one does not have. */
const OWN_LISTS: readonly (readonly [contract: ContractName, abi: Abi, getter: string])[] = [
  ["reputationRegistry", reputationRegistryAbi, "getClients"],
  ["validationRegistry", validationRegistryAbi, "getAgentValidations"],
];
const EDITED_FILE = "Do not edit deployment files by hand: take the one that npm run deploy wrote.";

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
  const links = await Promise.all(
    LINKS.map(async ([from, abi, getter, to]) => {
      const address = contracts[from];
      if (address === null) return [];
      const named = await client
        .readContract({ address, abi, functionName: getter })
        .catch(() => null);
      if (named === contracts[to]) return [];
      const answer = named === null ? `does not answer ${getter}()` : `has ${to} ${String(named)}`;
      return [
        fault(
          `${from} at ${address} ${answer}, and the deployment names ${to} ${contracts[to]}.`,
          EDITED_FILE,
        ),
      ];
    }),
  );
  const kinds = await Promise.all(
    OWN_LISTS.map(async ([name, abi, functionName]) => {
      const address = contracts[name];
      if (address === null) return [];
      const list = await client
        .readContract({ address, abi, functionName, args: [0n] })
        .catch(() => null);
      if (list !== null) return [];
      const what = `${name} at ${address} does not answer ${functionName}(): another contract is there.`;
      return [fault(what, EDITED_FILE)];
    }),
  );
  const findings = [...links.flat(), ...kinds.flat()];
  return findings.length > 0 ? findings : [ok(`${addresses.length} contracts have code.`)];
}

interface ServiceKeys {
  readonly relayer: Address;
  /** Of RELAYER_PRIVATE_KEYS. */
  readonly further: readonly Address[];
  readonly storage: Address | undefined;
}

/** Whether the relayer's keys may act, can pay, and are used by the service alone. */
export async function checkRelayer(
  client: PublicClient,
  { contracts }: Deployment,
  { relayer, further, storage }: ServiceKeys,
): Promise<Finding[]> {
  const accounts = [relayer, ...further];
  const findings = await Promise.all(
    accounts.map((account, index) => accountFindings(client, contracts, account, index === 0)),
  );
  if (storage !== undefined && accounts.includes(storage)) {
    const name = storage === relayer ? "RELAYER_PRIVATE_KEY" : "A key of RELAYER_PRIVATE_KEYS";
    const what = `${name} and STORAGE_PRIVATE_KEY are one key.`;
    const remedy = "Use two: a stolen storage key must not have the powers of the relayer.";
    findings.push([warning(what, remedy)]);
  }
  return findings.flat();
}

/** @param isFirst Whether nothing is registered without this account. A further one is left out. */
async function accountFindings(
  client: PublicClient,
  contracts: Deployment["contracts"],
  account: Address,
  isFirst: boolean,
): Promise<Finding[]> {
  const graver = isFirst ? fault : warning;
  const missing = await missingRoles(client, contracts, account);
  const findings = missing.map(({ contract, address, role, id, option }) =>
    graver(
      `The relayer ${account} does not have ${role} on ${contract}${isFirst ? "" : ", and is not used"}.`,
      `The admin calls grantRole(${id}, ${account}) on ${address}.${isFirst ? ` For a new deployment give ${option} ${account}.` : ""}`,
    ),
  );
  findings.push(...(await moneyFindings(client, account, graver)));
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
  return findings.length > 0
    ? findings
    : [ok(`The relayer ${account} has its four roles, and money.`)];
}

async function moneyFindings(
  client: PublicClient,
  account: Address,
  graver: typeof fault,
): Promise<Finding[]> {
  const [balance, price] = await Promise.all([
    client.getBalance({ address: account }),
    client.getGasPrice(),
  ]);
  const registrations = price === 0n ? LOW_REGISTRATIONS : balance / (price * REGISTRATION_GAS);
  if (registrations >= LOW_REGISTRATIONS) return [];
  const what = `The relayer ${account} has ${formatEther(balance)} ether, which pays for ${registrations} registrations at the present gas price.`;
  const remedy = `Send ether to ${account}.`;
  return [registrations === 0n ? graver(what, remedy) : warning(what, remedy)];
}

export const addressOf = (key: `0x${string}`): Address => privateKeyToAccount(key).address;

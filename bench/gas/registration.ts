import {
  type Address,
  concatHex,
  encodeAbiParameters,
  type Hex,
  parseAbiParameters,
  stringToHex,
  toHex,
  zeroHash,
} from "viem";
import { identityRegistryAbi } from "../../protocol/generated/abi.ts";
import { storageIdOf } from "../../protocol/index.ts";
import type { Aim, Comparison } from "../lib/report.ts";
import { type Agent, agentOf, sendRegistration } from "./agents.ts";
import { easAbi, plainCertificateAbi } from "./peers.ts";
import { easSchema, type Wallet, type World } from "./world.ts";

const MOST: Aim = { text: "at most 590,000", atMost: 590_000 };
const SHARE = 0.72;

/** The metadata written to the passport, by the registration and by the peers. */
const metadataOf = (agent: Agent, tokenId: bigint) =>
  [
    ["svcSoulHash", agent.soulHash],
    ["svcTokenId", toHex(tokenId, { size: 32 })],
    ["svcArweaveId", stringToHex(storageIdOf(agent.archiveId))],
    ["svcStatus", stringToHex("SEALED")],
  ] as const satisfies readonly (readonly [string, Hex])[];

/** Contents of an attestation in place of the record: the minimum, and all fields of the record. */
const RECORDS = {
  least: "uint256 tokenId,bytes32 soulHash,bytes32 soulMerkleRoot",
  whole:
    "uint256 tokenId,bytes32 soulHash,bytes32 soulMerkleRoot,bytes32 name,address operator,uint8 agentType,uint256 passportId",
} as const;

const recordOf = (agent: Agent, tokenId: bigint, passportId: bigint) => {
  const least = encodeAbiParameters(parseAbiParameters(RECORDS.least), [
    tokenId,
    agent.soulHash,
    agent.soulMerkleRoot,
  ]);
  const rest = encodeAbiParameters(parseAbiParameters("bytes32, address, uint8, uint256"), [
    stringToHex(agent.name, { size: 32 }),
    agent.operator,
    agent.agentType,
    passportId,
  ]);
  return { least, whole: concatHex([least, rest]) };
};

interface Separate {
  readonly register: number;
  readonly setMetadata: number;
  readonly transfer: number;
  readonly mint: number;
  readonly attest: Readonly<Record<keyof typeof RECORDS, number>>;
}

const sumOf = (gas: Separate, record: keyof typeof RECORDS): number =>
  gas.register + gas.setMetadata + gas.transfer + gas.mint + gas.attest[record];

/**
 * The same effects as separate transactions of one sender. No signature is checked, and names are
 * not unique.
 */
async function separately(
  world: World,
  owner: Address,
  passportId: bigint,
  tokenId: bigint,
  schemas: Readonly<Record<keyof typeof RECORDS, Hex>>,
): Promise<Separate> {
  const agent = agentOf(`separate-${tokenId}`, owner);
  const { service, gasOf, at } = world;
  const identity = { address: at.identity, abi: identityRegistryAbi } as const;

  const register = await gasOf(
    service.writeContract({ ...identity, functionName: "register", args: [agent.agentURI] }),
  );
  let setMetadata = 0;
  for (const [key, value] of metadataOf(agent, tokenId)) {
    setMetadata += await gasOf(
      service.writeContract({
        ...identity,
        functionName: "setMetadata",
        args: [passportId, key, value],
      }),
    );
  }
  const transfer = await gasOf(
    service.writeContract({
      ...identity,
      functionName: "transferFrom",
      args: [service.account.address, owner, passportId],
    }),
  );
  const mint = await gasOf(
    service.writeContract({
      address: at.plainCertificate,
      abi: plainCertificateAbi,
      functionName: "mint",
      args: [owner, tokenId],
    }),
  );
  const attestationOf = (schema: Hex, data: Hex) =>
    gasOf(
      service.writeContract({
        address: at.eas,
        abi: easAbi,
        functionName: "attest",
        args: [
          {
            schema,
            data: {
              recipient: owner,
              expirationTime: 0n,
              revocable: true,
              refUID: zeroHash,
              data,
              value: 0n,
            },
          },
        ],
      }),
    );
  const record = recordOf(agent, tokenId, passportId);
  const attest = {
    least: await attestationOf(schemas.least, record.least),
    whole: await attestationOf(schemas.whole, record.whole),
  };
  return { register, setMetadata, transfer, mint, attest };
}

/**
 * One registration compared with separate transactions, for a new owner and again for the same
 * owner. The sender has sent both before. The chain must be as {@link createWorld} leaves it: ids
 * are predicted from zero.
 */
export async function compareRegistration(world: World): Promise<{
  readonly comparisons: readonly Comparison[];
  readonly notes: readonly string[];
}> {
  const [warmUp, ourOwner, theirOwner] = [1, 2, 3].map(world.wallet) as [Wallet, Wallet, Wallet];
  const schemas = {
    least: await easSchema(world, RECORDS.least),
    whole: await easSchema(world, RECORDS.whole),
  };
  const ours = async (owner: Wallet, passportId: bigint, tokenId: bigint) =>
    await world.gasOf(
      sendRegistration(world, owner, agentOf(`agent-of-ours-${tokenId}`, owner.account.address), {
        passportId,
        tokenId,
      }),
    );
  const theirs = async (owner: Wallet, passportId: bigint, tokenId: bigint) =>
    await separately(world, owner.account.address, passportId, tokenId, schemas);

  // Counters and balances of the contracts themselves become non-zero here.
  await ours(warmUp, 0n, 1n);
  await theirs(warmUp, 1n, 1n);
  const first = { ours: await ours(ourOwner, 2n, 2n), theirs: await theirs(theirOwner, 3n, 2n) };
  const next = { ours: await ours(ourOwner, 4n, 3n), theirs: await theirs(theirOwner, 5n, 3n) };

  const compare = (
    what: string,
    measured: typeof first,
    record: keyof typeof RECORDS,
    name: string,
    aim?: Aim,
  ): Comparison => {
    const sum = sumOf(measured.theirs, record);
    return {
      what,
      ours: measured.ours,
      peer: { name, value: sum },
      aim: aim ?? { text: "at most 72 %", atMost: SHARE * sum },
      bound: BOUND,
    };
  };
  const whole = "the same effects as eight transactions";
  const least = `${whole}, the attestation holding only three words`;
  const { register, setMetadata, transfer, mint, attest } = first.theirs;
  const parts = {
    register,
    "four setMetadata": setMetadata,
    transfer,
    "OpenZeppelin mint": mint,
    "EAS attestation": attest.whole,
    "of three words": attest.least,
  };
  const list = Object.entries(parts).map(([name, gas]) => `${name} ${gas.toLocaleString("en-US")}`);
  return {
    comparisons: [
      compare("registration, an owner's first agent", first, "whole", whole, MOST),
      compare("registration, the same owner's next agent", next, "whole", whole, MOST),
      compare("registration, an owner's first agent", first, "least", least),
      compare("registration, the same owner's next agent", next, "least", least),
    ],
    notes: [
      `The eight transactions of a first agent: ${list.join(", ")}.`,
      `The attestation holds what our record does (\`${RECORDS.whole}\`), or only \`${RECORDS.least}\`. The eight transactions neither check an owner's signature nor keep a name from being given twice; our registration does both.`,
    ],
  };
}

const BOUND =
  "the words that it writes for the first time, each with its reason: [floors of gas](../docs/adr/0024-gas-floors.md).";

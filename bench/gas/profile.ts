import { type Address, getAddress, type Hex } from "viem";
import { soulRegistryAbi } from "../../protocol/generated/abi.ts";
import { agentOf, sendRegistration } from "./agents.ts";
import { sendBatch } from "./batch.ts";
import type { World } from "./world.ts";

/** One executed instruction. */
interface Step {
  readonly op: string;
  /** Before the instruction. */
  readonly gas: number;
  readonly gasCost: number;
  readonly depth: number;
}

/** One call with those that it made, as the node's `callTracer` gives them. */
interface Call {
  readonly type: string;
  readonly to: Address;
  readonly calls?: readonly Call[];
}

const KINDS = [
  "words written for the first time",
  "words changed",
  "words written again",
  "words read for the first time",
  "words read again",
  "contracts called for the first time",
  "calls",
  "events",
  "hashes",
  "everything else",
] as const;

type Kind = (typeof KINDS)[number];

const CALLS = new Set(["CALL", "STATICCALL", "DELEGATECALL"]);

/** What the chain charges for the first touch of a word and of an account, and for a word that was zero. */
const [COLD_WORD, COLD_ACCOUNT, NEW_WORD, CHANGED_WORD] = [2_100, 2_600, 20_000, 2_900];

/**
 * Where the gas of an owner's first registration and of the largest batch goes. The chain must be as {@link createWorld} leaves it:
 * ids are predicted from zero.
 */
export async function profiles(world: World): Promise<string> {
  const register = async (wallet: number, ids: { passportId: bigint; tokenId: bigint }) => {
    const owner = world.wallet(wallet);
    const agent = agentOf(`agent-of-ours-${ids.tokenId}`, owner.account.address);
    return await sendRegistration(world, owner, agent, ids);
  };
  // Counters of the contracts themselves become non-zero here.
  await world.gasOf(register(1, { passportId: 0n, tokenId: 1n }));
  const registration = await register(2, { passportId: 1n, tokenId: 2n });
  return [
    "registration, an owner's first agent:",
    await profileOf(world, registration),
    "the largest batch of an organization:",
    await profileOf(world, await sendBatch(world)),
  ].join("\n\n");
}

/** The gas of a mined transaction by kind of instruction and by contract, as a Markdown table. */
async function profileOf(world: World, hash: Hex): Promise<string> {
  const { gasUsed } = await world.receiptOf(Promise.resolve(hash));
  const trace = await world.trace<{ readonly structLogs: readonly Step[] }>(hash, {
    disableStack: true,
    disableStorage: true,
  });
  const root = await world.trace<Call>(hash, { tracer: "callTracer" });
  const names = await namesIn(world);
  const contracts = contractsOf(root, names);
  const spent = sumsOf(trace.structLogs, contracts);

  const columns = [...new Set(contracts)];
  const cell = (kind: Kind, contract: string) => spent.get(contract)?.get(kind) ?? 0;
  const rows = KINDS.map((kind) => {
    const cells = columns.map((contract) => cell(kind, contract));
    return [kind, ...cells, total(cells)];
  });
  const executed = columns.map((contract) => total(KINDS.map((kind) => cell(kind, contract))));
  const first = trace.structLogs[0]?.gas ?? 0;
  const limit = Number((await world.client.getTransaction({ hash })).gas);
  const base = limit - first;
  const blanks = columns.map(() => "");
  return markdown([
    ["", ...columns, "all"],
    ["---", ...columns.map(() => "---:"), "---:"],
    ...rows,
    ["executed", ...executed, total(executed)],
    ["transaction and calldata", ...blanks, base],
    ["refunds", ...blanks, Number(gasUsed) - total(executed) - base],
    ["gas used", ...blanks, Number(gasUsed)],
  ]);
}

/** The contracts' names by address. */
async function namesIn({ client, at }: World): Promise<ReadonlyMap<Address, string>> {
  const read = (functionName: "REGISTRARS" | "CERTIFICATE" | "PASSPORT_MINT") =>
    client.readContract({ address: at.souls, abi: soulRegistryAbi, functionName });
  return new Map([
    [getAddress(at.souls), "SoulRegistry"],
    [getAddress(at.identity), "identity registry"],
    [getAddress(at.organizations), "OrganizationRegistry"],
    [getAddress(await read("REGISTRARS")), "Registrars"],
    [getAddress(await read("CERTIFICATE")), "SoulCertificate"],
    [getAddress(await read("PASSPORT_MINT")), "PassportMint"],
  ]);
}

/** The contract of each call that executes code, in the order of the calls. A proxy's code counts as the proxy's. */
function contractsOf(call: Call, names: ReadonlyMap<Address, string>, caller = ""): string[] {
  const isPrecompiled = BigInt(call.to) < 0x1_00n;
  if (isPrecompiled) return [];
  const own = call.type === "DELEGATECALL" ? caller : names.get(getAddress(call.to));
  if (own === undefined) throw new Error(`A contract without a name was called: ${call.to}`);
  return [own, ...(call.calls ?? []).flatMap((inner) => contractsOf(inner, names, own))];
}

/** Adds up, for each contract and kind, what the instructions took themselves: without what the calls that they made took. */
function sumsOf(steps: readonly Step[], contracts: readonly string[]) {
  const sums = new Map(contracts.map((contract) => [contract, new Map<Kind, number>()]));
  /** The calls that last, outermost first, and the instruction of each that is not over, with what its own call took. */
  const frames: { contract: string; start: number; open?: { step: Step; inner: number } }[] = [];
  const add = (contract: string, step: Step, gas: number, isOfContract: boolean) => {
    const kinds = sums.get(contract);
    for (const [kind, part] of partsOf(step.op, gas, isOfContract)) {
      kinds?.set(kind, (kinds.get(kind) ?? 0) + part);
    }
  };
  let entered = 0;
  for (const [index, step] of steps.entries()) {
    if (step.depth > frames.length) {
      frames.push({ contract: contracts[entered] ?? "", start: step.gas });
      entered += 1;
    }
    const frame = frames.at(-1);
    if (frame === undefined) continue;
    if (frame.open) {
      const { step: before, inner } = frame.open;
      add(frame.contract, before, before.gas - step.gas - inner, inner !== 0);
    }
    frame.open = { step, inner: 0 };
    if ((steps[index + 1]?.depth ?? 0) < step.depth) {
      add(frame.contract, step, step.gasCost, false);
      frames.pop();
      const caller = frames.at(-1)?.open;
      if (caller) caller.inner = frame.start - step.gas + step.gasCost;
    }
  }
  return sums;
}

/** What an instruction took, by kind. `isOfContract`: it called code. */
function partsOf(op: string, gas: number, isOfContract: boolean): readonly [Kind, number][] {
  if (op === "SSTORE") {
    if (gas >= NEW_WORD) return [["words written for the first time", gas]];
    return [[gas >= CHANGED_WORD ? "words changed" : "words written again", gas]];
  }
  if (op === "SLOAD") {
    return [[gas >= COLD_WORD ? "words read for the first time" : "words read again", gas]];
  }
  if (op.startsWith("LOG")) return [["events", gas]];
  if (op === "KECCAK256" || op === "SHA3") return [["hashes", gas]];
  const isFirst = gas >= COLD_ACCOUNT && (isOfContract || op === "EXTCODESIZE");
  if (isFirst) {
    return [
      ["contracts called for the first time", COLD_ACCOUNT],
      ["calls", gas - COLD_ACCOUNT],
    ];
  }
  return [[CALLS.has(op) ? "calls" : "everything else", gas]];
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function markdown(rows: readonly (readonly (string | number)[])[]): string {
  return rows
    .map((cells) => `| ${cells.map((cell) => cell.toLocaleString("en-US")).join(" | ")} |`)
    .join("\n");
}

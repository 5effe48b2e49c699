import { randomBytes } from "node:crypto";
import type { Hex, LocalAccount } from "viem";
import { bytesToHex, serializeErc6492Signature } from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ApiError, type ErrorType } from "../../api/kernel/errors.ts";
import { createOwnerCalls } from "../../api/operations/operations.chain.ts";
import type { OperatedSouls, OwnerEvidence } from "../../api/operations/soul-operation.ts";
import type { DatabaseConnection } from "../../api/platform/database/connect.ts";
import { soulRegistryAbi } from "../../protocol/generated/abi.ts";
import { ownerMessageDigest } from "../../protocol/index.ts";
import { newAccount } from "../api/features/sign-in/harness.ts";
import { Killed, Life, mortal } from "../fixtures/mortal.ts";
import type { DidRequest } from "../fixtures/owner-operations.ts";
import {
  connectTo,
  didKind,
  operationProcess,
  signedOperation,
} from "../fixtures/owner-operations.ts";
import { freshName, registrationBody } from "../fixtures/registrations.ts";
import type { Service } from "../fixtures/service.ts";
import { sharedService } from "../fixtures/service.ts";
import { requester } from "../fixtures/sponsorship.ts";

// The common rules of operations with an owner's signature, on real contracts, the real index and
// real Postgres, with the simplest kind.

let service: Service;
let connection: DatabaseConnection;
let engine: ReturnType<typeof operationProcess>;
let kind: ReturnType<typeof didKind>;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  service = await sharedService();
  closing.push(service.stop);
  connection = await connectTo(service);
  closing.push(connection.close);
  kind = didKind(service);
  engine = operationProcess({ service, connection });
  closing.push(() => engine.close());
});
afterAll(async () => {
  for (const close of closing.reverse()) await close();
});

interface Agent {
  readonly owner: LocalAccount;
  readonly name: string;
  readonly tokenId: bigint;
  readonly passportId: bigint;
}

async function newAgent(owner = newAccount()): Promise<Agent> {
  const name = freshName();
  const { answer } = await service.register(name, owner);
  const { tokenId, erc8004AgentId } = answer.body;
  return { owner, name, tokenId: BigInt(tokenId), passportId: BigInt(erc8004AgentId) };
}

const requestOf = ({ tokenId }: Agent): DidRequest => ({
  tokenId,
  archiveId: bytesToHex(randomBytes(32)),
});
const signed = (
  agent: Agent,
  request: DidRequest,
  change: Parameters<
    typeof signedOperation<DidRequest, "SetDidArchive", never, never>
  >[3]["change"] = {},
) => signedOperation(engine, kind, request, { owner: agent.owner, service, change });
const perform = (request: DidRequest, evidence: OwnerEvidence<"SetDidArchive">) =>
  engine.perform(kind, request, evidence, requester());

const archiveOnChain = (tokenId: bigint) =>
  service.chain.client.readContract({
    address: service.chain.contracts.soulRegistry,
    abi: soulRegistryAbi,
    functionName: "didArchiveOf",
    args: [tokenId],
  });
const setsOnChain = (tokenId: bigint) =>
  service.chain.client.getContractEvents({
    address: service.chain.contracts.soulRegistry,
    abi: soulRegistryAbi,
    eventName: "DidArchiveSet",
    args: { tokenId },
    fromBlock: 0n,
  });

async function rowsOf(tokenId: bigint) {
  const { rows } = await connection.pool.query(
    `select o.state, s.gas from app.operation o
     join app.operation_subject t on t.operation_id = o.id and t.kind = 'soul'
     left join app.sponsored_operation s on s.operation_id = 'operation:' || o.id
     where t.id = $1 order by o.updated_at`,
    [tokenId.toString()],
  );
  return rows;
}

/** Of all accepted operations. */
async function gasSetAside(): Promise<bigint> {
  const { rows } = await connection.pool.query(
    "select coalesce(sum(gas), 0) as gas from app.gas_budget",
  );
  return BigInt(rows[0].gas);
}

async function refusal(work: Promise<unknown>): Promise<ApiError> {
  const error = await work.then(
    () => null,
    (refused: unknown) => refused,
  );
  if (error instanceof ApiError) return error;
  throw error ?? new Error("It was not refused.");
}
const typeOf = async (work: Promise<unknown>): Promise<ErrorType> => (await refusal(work)).type;

describe("an operation that its owner signed", () => {
  let agent: Agent;
  beforeEach(async () => {
    agent = await newAgent();
  });

  it("is prepared over the current state, carried out once, stored, paid for and visible", async () => {
    const request = requestOf(agent);
    const before = BigInt(Math.floor(Date.now() / 1000));
    const evidence = await signed(agent, request);
    const { nonce, deadline, ...signedFields } = evidence.message;
    expect(signedFields).toEqual({
      tokenId: agent.tokenId,
      epoch: 1,
      version: 0,
      previousArchiveId: `0x${"00".repeat(32)}`,
      archiveId: request.archiveId,
    });
    expect(deadline - before).toBeGreaterThanOrEqual(900n);
    expect(deadline - before).toBeLessThan(910n);
    expect(nonce).not.toBe((await engine.prepare(kind, request)).nonce);
    expect(await rowsOf(agent.tokenId)).toEqual([]);

    const first = await perform(request, evidence);
    const [event] = await setsOnChain(agent.tokenId);
    expect(first).toEqual({
      result: { name: agent.name, txHash: event?.transactionHash, archiveId: request.archiveId },
      txHash: event?.transactionHash,
      blockNumber: event?.blockNumber,
      indexedBlock: expect.toSatisfy((block: bigint) => block >= (event?.blockNumber ?? 0n)),
    });
    expect(await archiveOnChain(agent.tokenId)).toBe(request.archiveId);
    const { rows } = await service.pool.query(
      "select did_archive_id as id from chain.soul where token_id = $1",
      [agent.tokenId.toString()],
    );
    expect(rows).toEqual([{ id: request.archiveId }]);
    expect(await rowsOf(agent.tokenId)).toEqual([{ state: "settled", gas: "200000" }]);
    const content = {
      data: Buffer.from(`The document of ${request.archiveId}`),
      contentType: "text/plain",
    };
    const id = await engine.archive.idOf(content);
    expect(Buffer.from((await engine.archive.read(id))?.data ?? [])).toEqual(content.data);

    // The chain has moved on, and the same signed request still has its answer.
    await perform(requestOf(agent), await signed(agent, requestOf(agent))).catch(() => {});
    const again = await perform(request, evidence);
    expect({ ...again, indexedBlock: 0n }).toEqual({ ...first, indexedBlock: 0n });
    expect(await setsOnChain(agent.tokenId)).toHaveLength(1);
  });

  it("is not carried out for another request under the same signature", async () => {
    const request = requestOf(agent);
    const evidence = await signed(agent, request);
    await perform(request, evidence);
    const error = await refusal(
      perform({ ...request, archiveId: `0x${"11".repeat(32)}` }, evidence),
    );
    expect([error.type, error.message]).toEqual([
      "NONCE_USED",
      "This signature was already submitted with another request.",
    ]);
  });

  it("shows its stored answer to the first request's key, and to others only with a valid signature", async () => {
    const request = requestOf(agent);
    const evidence = await signed(agent, request);
    const first = requester();
    const { result } = await engine.perform(kind, request, evidence, first);
    const forged = {
      ...evidence,
      signature: (await signedOperation(engine, kind, request, { owner: newAccount(), service }))
        .signature,
    };
    expect(await typeOf(perform(request, forged))).toBe("INVALID_SIGNATURE");
    expect(await typeOf(perform(request, { ...evidence, signer: newAccount().address }))).toBe(
      "NOT_OWNER",
    );
    expect((await perform(request, evidence)).result).toEqual(result);
    expect((await engine.perform(kind, request, forged, first)).result).toEqual(result);
  });

  it("ends as superseded when its owner had the same done directly", async () => {
    const request = requestOf(agent);
    const evidence = await signed(agent, request);
    const { nonce: _nonce, deadline: _deadline, ...decision } = evidence.message;
    await service.chain.fund(agent.owner.address);
    const overtaken = operationProcess({
      service,
      connection,
      around: (name, port) =>
        name === "relayer"
          ? new Proxy(port, {
              get: (target, property, receiver) => {
                if (property !== "run") return Reflect.get(target, property, receiver);
                return async (...given: unknown[]) => {
                  const hash = await service.chain.client.writeContract({
                    address: service.chain.contracts.soulRegistry,
                    abi: soulRegistryAbi,
                    functionName: "setDidArchive",
                    args: [{ ...decision, nonce: 0n, deadline: 0n }, "0x"],
                    account: agent.owner,
                  });
                  await service.chain.client.waitForTransactionReceipt({ hash });
                  return (target as { run(...given: unknown[]): unknown }).run(...given);
                };
              },
            })
          : port,
    });
    const error = await refusal(overtaken.perform(kind, request, evidence, requester()));
    await overtaken.close();
    const { rows } = await connection.pool.query(
      `select o.state, o.reason from app.operation o
       join app.operation_subject t on t.operation_id = o.id where t.id = $1`,
      [agent.tokenId.toString()],
    );
    expect(rows).toEqual([
      {
        state: "refused",
        reason: {
          type: error.type,
          message: error.message,
          details: error.details,
          superseded: true,
        },
      },
    ]);
    await engine.recover();
    expect(await archiveOnChain(agent.tokenId)).toBe(request.archiveId);
  });

  it("names every field of a message that disagrees", async () => {
    const request = requestOf(agent);
    const change = {
      epoch: 2,
      version: 7,
      archiveId: `0x${"ab".repeat(32)}`,
      previousArchiveId: `0x${"cd".repeat(32)}`,
    } as const;
    const error = await refusal(perform(request, await signed(agent, request, change)));
    expect([error.type, error.message, error.details]).toEqual([
      "INVALID_REQUEST",
      "The signed message is not about this request.",
      {
        issues: [
          { path: "message.epoch", message: "This request needs 1" },
          { path: "message.version", message: "This request needs 0" },
          { path: "message.archiveId", message: `This request needs ${request.archiveId}` },
          {
            path: "message.previousArchiveId",
            message: `This request needs 0x${"00".repeat(32)}`,
          },
        ],
      },
    ]);
    const other = await newAgent(agent.owner);
    const elsewhere = await refusal(
      perform({ ...request, tokenId: other.tokenId }, await signed(agent, request)),
    );
    expect(elsewhere.details).toEqual({
      issues: [{ path: "message.tokenId", message: `This request needs ${other.tokenId}` }],
    });
    expect(await rowsOf(agent.tokenId)).toEqual([]);
  });

  it("is refused to strangers, late, badly signed, unknown, sold and burned", async () => {
    const request = requestOf(agent);
    const evidence = await signed(agent, request);
    const stranger = newAccount();
    expect(await typeOf(perform(request, { ...evidence, signer: stranger.address }))).toBe(
      "NOT_OWNER",
    );
    const forged = await signedOperation(engine, kind, request, { owner: stranger, service });
    expect(await typeOf(perform(request, { ...forged, signer: agent.owner.address }))).toBe(
      "INVALID_SIGNATURE",
    );
    expect(await typeOf(perform(request, await signed(agent, request, { deadline: 1n })))).toBe(
      "NONCE_EXPIRED",
    );
    const nowhere = { ...request, tokenId: 999_999n };
    expect(await typeOf(engine.prepare(kind, nowhere))).toBe("NOT_FOUND");
    expect(await typeOf(perform(nowhere, evidence))).toBe("NOT_FOUND");

    await service.chain.fund(agent.owner.address);
    await service.chain.transferPassport(agent.passportId, agent.owner, stranger.address);
    expect(await typeOf(engine.prepare(kind, request))).toBe("SUSPENDED");
    expect(await typeOf(perform(request, evidence))).toBe("SUSPENDED");

    const other = await newAgent();
    const late = requestOf(other);
    const lateEvidence = await signed(other, late);
    await service.chain.fund(other.owner.address);
    const burn = {
      tokenId: other.tokenId,
      epoch: 1,
      version: 0,
      nonce: 0n,
      deadline: 0n,
      reasonHash: `0x${"00".repeat(32)}`,
    } as const;
    const hash = await service.chain.client.writeContract({
      address: service.chain.contracts.soulRegistry,
      abi: soulRegistryAbi,
      functionName: "burn",
      args: [burn, "0x"],
      account: other.owner,
    });
    await service.chain.client.waitForTransactionReceipt({ hash });
    expect(await typeOf(perform(late, lateEvidence))).toBe("BURNED");
    expect([await rowsOf(agent.tokenId), await rowsOf(other.tokenId)]).toEqual([[], []]);
  });

  it("is refused when its nonce was cancelled or belongs to another message", async () => {
    const request = requestOf(agent);
    const evidence = await signed(agent, request);
    const other = { ...requestOf(agent) };
    const sameNonce = await signed(agent, other, { nonce: evidence.message.nonce });
    const outcomes = await Promise.allSettled([
      perform(request, evidence),
      perform(other, sameNonce),
    ]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const lost = outcomes.find(({ status }) => status === "rejected") as PromiseRejectedResult;
    expect(lost.reason).toMatchObject({ type: "NONCE_USED" });
    expect(await setsOnChain(agent.tokenId)).toHaveLength(1);

    const third = requestOf(agent);
    const cancelled = await signed(agent, third);
    await service.chain.fund(agent.owner.address);
    const hash = await service.chain.client.writeContract({
      address: service.chain.contracts.soulRegistry,
      abi: soulRegistryAbi,
      functionName: "cancel",
      args: [cancelled.message.nonce],
      account: agent.owner,
    });
    await service.chain.client.waitForTransactionReceipt({ hash });
    expect(await typeOf(perform(third, cancelled))).toBe("NONCE_USED");
  });

  it("has one effect and one answer when it arrives 50 times at once", async () => {
    const request = requestOf(agent);
    const evidence = await signed(agent, request);
    const answers = await Promise.all(Array.from({ length: 50 }, () => perform(request, evidence)));
    expect(new Set(answers.map(({ txHash }) => txHash)).size).toBe(1);
    expect(new Set(answers.map(({ result }) => JSON.stringify(result))).size).toBe(1);
    expect(await setsOnChain(agent.tokenId)).toHaveLength(1);
    expect(await rowsOf(agent.tokenId)).toEqual([{ state: "settled", gas: "200000" }]);
  });

  it("is refused without a trace when the day's gas is spent", async () => {
    const poor = operationProcess({ service, connection, gasPerDay: 1n });
    const request = requestOf(agent);
    const evidence = await signed(agent, request);
    expect(await typeOf(poor.perform(kind, request, evidence, requester()))).toBe(
      "GAS_BUDGET_EXHAUSTED",
    );
    expect(await rowsOf(agent.tokenId)).toEqual([]);
    await poor.close();
    expect((await perform(request, evidence)).result.archiveId).toBe(request.archiveId);
  });

  it("waits for a chain that is down, and is finished by recovery", async () => {
    const request = requestOf(agent);
    const evidence = await signed(agent, request);
    const down = operationProcess({
      service,
      connection,
      around: (name, port) =>
        name === "relayer"
          ? new Proxy(port, {
              get: () => async () => {
                throw new ApiError("CHAIN_UNAVAILABLE");
              },
            })
          : port,
    });
    expect(await typeOf(down.perform(kind, request, evidence, requester()))).toBe(
      "CHAIN_UNAVAILABLE",
    );
    expect(await rowsOf(agent.tokenId)).toEqual([{ state: "accepted", gas: "200000" }]);
    await expect(down.recover()).rejects.toThrow("1 operations could not be finished.");
    await down.close();
    await engine.recover();
    expect(await rowsOf(agent.tokenId)).toEqual([{ state: "settled", gas: "200000" }]);
    expect(await archiveOnChain(agent.tokenId)).toBe(request.archiveId);
  });

  it("is completed when another sender submitted the signature first", async () => {
    const request = requestOf(agent);
    const evidence = await signed(agent, request);
    const before = await gasSetAside();
    const copier = newAccount();
    await service.chain.fund(copier.address);
    let copied: Hex | undefined;
    const slow = operationProcess({
      service,
      connection,
      around: (name, port) =>
        name === "relayer"
          ? new Proxy(port, {
              get: (target, property, receiver) => {
                if (property !== "run") return Reflect.get(target, property, receiver);
                return async (...given: unknown[]) => {
                  const call = createOwnerCalls(service.chain.contracts.soulRegistry).setDidArchive(
                    evidence,
                  );
                  copied ??= await service.chain.client.sendTransaction({
                    ...call,
                    account: copier,
                  });
                  return (target as { run(...given: unknown[]): unknown }).run(...given);
                };
              },
            })
          : port,
    });
    const answer = await slow.perform(kind, request, evidence, requester());
    expect(answer.txHash).toBe(copied);
    expect(answer.result).toEqual({
      name: agent.name,
      txHash: copied,
      archiveId: request.archiveId,
    });
    // That sender has paid: the service's gas of the day is as it was.
    expect(await rowsOf(agent.tokenId)).toEqual([{ state: "settled", gas: null }]);
    expect(await gasSetAside()).toBe(before);
    await slow.close();
  });

  it("is forgotten, and its gas returned, when the chain refuses it after acceptance", async () => {
    const request = requestOf(agent);
    const evidence = await signed(agent, request);
    const racing = operationProcess({
      service,
      connection,
      around: (name, port) =>
        name === "relayer"
          ? new Proxy(port, {
              get: (target, property, receiver) => {
                if (property !== "run") return Reflect.get(target, property, receiver);
                return async (...given: unknown[]) => {
                  await perform(other, otherEvidence);
                  return (target as { run(...given: unknown[]): unknown }).run(...given);
                };
              },
            })
          : port,
    });
    const other = requestOf(agent);
    const otherEvidence = await signed(agent, other);
    const before = await gasSetAside();
    const error = await refusal(racing.perform(kind, request, evidence, requester()));
    expect([error.type, error.details]).toEqual([
      "INVALID_REQUEST",
      {
        reason: "WrongVersion",
        args: { tokenId: Number(agent.tokenId), version: "0", current: "1" },
      },
    ]);
    expect(await rowsOf(agent.tokenId)).toEqual([
      { state: "settled", gas: "200000" },
      { state: "refused", gas: null },
    ]);
    const { rows } = await connection.pool.query(
      "select reason, secrets from app.operation where state = 'refused' order by updated_at desc limit 1",
    );
    expect(rows).toEqual([
      {
        secrets: null,
        reason: {
          type: "INVALID_REQUEST",
          message: error.message,
          details: error.details,
          superseded: false,
        },
      },
    ]);
    expect(await gasSetAside()).toBe(before + 200_000n);
    expect(await archiveOnChain(agent.tokenId)).toBe(other.archiveId);
    await racing.close();
  });

  it("is absent or complete at whichever step its process dies, and repeating it completes it", async () => {
    let steps = 0;
    for (let fatal = 1; ; fatal += 1) {
      const request = requestOf(agent);
      const evidence = await signed(agent, request);
      const life = new Life((step) => step === fatal);
      const dying = operationProcess({
        service,
        connection,
        around: (_name, port) => mortal(port, life),
      });
      const outcome = await dying
        .perform(kind, request, evidence, requester())
        .then(() => "done" as const)
        .catch((error: unknown) => {
          if (error instanceof Killed || (error as Error).cause instanceof Killed) return "dead";
          throw error;
        });
      await dying.close();
      if (outcome === "done" && !life.isDead) break;
      steps = fatal;
      const successor = operationProcess({ service, connection });
      await successor.recover();
      const { rows } = await connection.pool.query(
        `select state from app.operation o
         join app.operation_signature s on s.operation_id = o.id where s.digest = $1`,
        [ownerMessageDigest(place(), "SetDidArchive", evidence.message)],
      );
      expect([[], [{ state: "settled" }]]).toContainEqual(rows);
      expect((await archiveOnChain(agent.tokenId)) === request.archiveId).toBe(rows.length === 1);
      const repeated = await successor.perform(kind, request, evidence, requester());
      expect(repeated.result.archiveId).toBe(request.archiveId);
      expect(await archiveOnChain(agent.tokenId)).toBe(request.archiveId);
      await successor.close();
    }
    expect(steps).toBeGreaterThan(15);
    // One for each death, and one for the run without a death.
    expect(await setsOnChain(agent.tokenId)).toHaveLength(steps + 1);
  }, 180_000);
});

describe("the signature of a contract wallet", () => {
  it("counts when the wallet is deployed", async () => {
    const key = newAccount();
    const wallet = await service.chain.deployWallet(key.address);
    const body = registrationBody(freshName(), { address: wallet });
    const { body: registered } = await service.submit(await service.signedRegistration(body, key));
    const tokenId = BigInt(registered.tokenId);
    const request = { tokenId, archiveId: bytesToHex(randomBytes(32)) };
    const evidence = await signedOperation(engine, kind, request, { owner: key, service });
    expect(await typeOf(perform(request, evidence))).toBe("NOT_OWNER");
    await perform(request, { ...evidence, signer: wallet });
    expect(await archiveOnChain(tokenId)).toBe(request.archiveId);
  });

  it("is refused with the reason while the wallet is not deployed", async () => {
    const agent = await newAgent();
    const key = newAccount();
    const { address, factory, factoryData } = await service.chain.plannedWallet(key.address);
    // Such a wallet cannot have registered an agent: here the chain says that it did.
    const owned = operationProcess({
      service,
      connection,
      around: (name, port) =>
        name === "chain"
          ? {
              ...port,
              soul: async (tokenId: bigint) => ({
                ...(await (port as unknown as OperatedSouls).soul(tokenId)),
                sealer: address,
                passportOwner: address,
              }),
              // Asked at the preparation only: the signature is refused before.
              simulate: async () => {},
            }
          : port,
    });
    const request = requestOf(agent);
    const { message, signature } = await signedOperation(owned, kind, request, {
      owner: key,
      service,
    });
    const wrapped = serializeErc6492Signature({
      address: factory,
      data: factoryData,
      signature,
    });
    const evidence = { message, signature: wrapped, signer: address };
    expect(await typeOf(owned.perform(kind, request, evidence, requester()))).toBe(
      "WALLET_NOT_DEPLOYED",
    );
    await owned.close();
  });
});

const place = () => ({
  chainId: 31337,
  verifyingContract: service.chain.contracts.soulRegistry,
});

import { zeroAddress } from "viem";
import type { LocalAccount } from "viem/accounts";
import { randomNumbers } from "../../scripts/lib/random-numbers.ts";
import { hashOf } from "../fixtures/chain-verbs.ts";
import { account, type IndexedChain } from "../fixtures/indexed-chain.ts";

// A script of operations over every contract: the same seed gives the same operations. Each
// operation looks for a suitable state on the chain. Without one it does nothing, and another
// operation is drawn.

const OWNERS = [1, 2, 3, 4, 5].map(account);
const OPERATORS = [6, 7].map(account);
const CLIENT = account(8);

/** The soul's status on chain. */
const PROVISIONAL = 1;
const SEALED = 2;
const BURNED = 3;

interface Soul {
  readonly tokenId: bigint;
  readonly name: string;
  readonly passportId: bigint;
  readonly status: number;
  readonly epoch: number;
  readonly sealer: LocalAccount;
  readonly passportOwner: LocalAccount;
  /** Whether the operator may spend. */
  readonly operator: LocalAccount;
  /** A suspension is on record, which only a reseal or a release ends. */
  readonly suspended: boolean;
  /** Sealed, not suspended, and the sealer owns the passport. */
  readonly valid: boolean;
}

export interface MixedOperations {
  /** Carries out `count` operations, and calls `after` with the number of each. */
  run(count: number, after?: (operation: number) => Promise<void> | void): Promise<void>;
  /** How often each kind was carried out. */
  readonly tally: Readonly<Record<string, number>>;
}

export function mixedOperations(chain: IndexedChain, seed: number): MixedOperations {
  const random = randomNumbers(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const oneOf = <T>(items: readonly T[]): T => items[below(items.length)] as T;
  const chance = (share: number) => random() < share;
  const amount = () => BigInt(1 + below(40)) * 100_000n;
  const tally: Record<string, number> = {};
  let names = 0;
  let texts = 0;
  const name = () => `mixed-${seed}-${++names}`;
  /** Sometimes a text that no database accepts. */
  const text = () => `text ${++texts}${chance(0.15) ? " with \0" : ""}`;
  const verifiers: { address: `0x${string}`; approved: boolean }[] = [];
  const feedback: { passportId: bigint; client: LocalAccount; index: bigint; revoked: boolean }[] =
    [];
  const requests: { hash: `0x${string}`; validator: LocalAccount }[] = [];

  const known = (address: string): LocalAccount | undefined =>
    [...OWNERS, ...OPERATORS].find((one) => one.address === address);

  async function soulOf(tokenId: bigint): Promise<Soul | undefined> {
    const record = await chain.soulOf(tokenId);
    const owner = known(await chain.passportOwner(record.passportId));
    const sealer = known(record.sealer);
    if (!owner || !sealer) return undefined;
    const suspended = await chain.isSuspended(tokenId);
    return {
      tokenId,
      name: record.name,
      passportId: record.passportId,
      status: record.status,
      epoch: record.epoch,
      sealer,
      passportOwner: owner,
      operator: known(record.operator) ?? sealer,
      suspended,
      valid: record.status === SEALED && owner === sealer && !suspended,
    };
  }

  /** Burned souls that have their one successor. */
  const succeeded = new Set<bigint>();

  /** A soul for which `suits` is true; undefined when a few tries found none. */
  async function pick(suits: (soul: Soul) => boolean): Promise<Soul | undefined> {
    const count = Number(await chain.soulCount());
    for (let attempt = 0; attempt < 6 && count > 0; attempt += 1) {
      const soul = await soulOf(BigInt(1 + below(count)));
      if (soul && suits(soul)) return soul;
    }
    return undefined;
  }
  const valid = () => pick((soul) => soul.valid);
  const live = (soul: Soul) =>
    soul.status !== BURNED && soul.passportOwner === soul.sealer && !soul.suspended;

  /**
   * A suspended soul whose passport is with the owner that was last observed, so that this owner
   * can end the suspension.
   */
  async function observed(suits: (soul: Soul) => boolean): Promise<Soul | undefined> {
    const soul = await pick((one) => one.suspended && suits(one));
    if (!soul) return undefined;
    const [owner, , at] = await chain.suspensionOf(soul.tokenId);
    const { timestamp } = await chain.client.getBlock();
    // The next block's time is past the observation's day only when the chain's clock was moved.
    return owner === soul.passportOwner.address && timestamp < at + 86_000n ? soul : undefined;
  }

  /**
   * A proof that `owner`, who claims `claimed` in an epoch, is a person; undefined while no adapter
   * is approved.
   */
  async function humanProof(owner: LocalAccount, claimed: string, epoch: number) {
    const verifier = verifiers.find(({ approved }) => approved)?.address;
    if (!verifier) return undefined;
    return chain.humanProof({
      attester: CLIENT,
      verifier,
      owner: owner.address,
      name: claimed,
      epoch,
      nullifier: hashOf(`person ${seed} ${claimed} ${++texts}`),
    });
  }

  /** The value that an owner signs for its passport's URI: mostly empty. */
  const uri = () => (chance(0.4) ? `https://example/${++texts}` : "");

  async function organization(): Promise<{ id: bigint; admin: LocalAccount } | undefined> {
    const count = Number(await chain.organizationCount());
    if (count === 0) return undefined;
    const id = BigInt(1 + below(count));
    const admin = known(await chain.adminOf(id));
    return admin && { id, admin };
  }

  /** Each returns whether it found a suitable state. */
  const operations: Record<string, { weight: number; act: () => Promise<unknown> }> = {
    register: {
      weight: 10,
      act: () => {
        const operator = chance(0.5) ? oneOf(OPERATORS).address : zeroAddress;
        return chain.register(oneOf(OWNERS), name(), { operator, seal: chance(0.7) });
      },
    },
    registerInto: {
      weight: 3,
      act: async () => {
        const organizationId = await organization();
        return (
          organizationId &&
          chain.register(organizationId.admin, name(), {
            organizationId: organizationId.id,
            seal: true,
          })
        );
      },
    },
    registerBound: {
      weight: 3,
      act: async () => {
        const owner = oneOf(OWNERS);
        const { agentId } = await chain.registerPassport(owner, `https://${name()}.example`);
        if (chance(0.5)) await chain.approveWriter(owner, agentId);
        const bound = { bindPassport: true, passportId: agentId, agentURI: uri() };
        return chain.register(owner, name(), { seal: chance(0.7), ...bound });
      },
    },
    registerBatch: {
      weight: 2,
      act: () => chain.registerBatch(oneOf(OWNERS), [name(), name()]),
    },
    registerBatchInto: {
      weight: 3,
      act: async () => {
        const organizationId = await organization();
        if (!organizationId) return undefined;
        const names = Array.from({ length: 1 + below(8) }, name);
        return chain.registerBatch(organizationId.admin, names, organizationId.id);
      },
    },
    reincarnate: {
      weight: 3,
      act: async () => {
        const parent = await pick(
          ({ status, tokenId }) => status === BURNED && !succeeded.has(tokenId),
        );
        if (!parent) return undefined;
        succeeded.add(parent.tokenId);
        return chain.register(parent.sealer, name(), { parentTokenId: parent.tokenId });
      },
    },
    humanRegister: {
      weight: 6,
      act: async () => {
        const owner = oneOf(OWNERS);
        const claimed = name();
        const proof = await humanProof(owner, claimed, 1);
        return proof && chain.register(owner, claimed, {}, proof);
      },
    },
    seal: {
      weight: 6,
      act: async () => {
        const soul = await pick((one) => one.status === PROVISIONAL && live(one));
        if (!soul) return undefined;
        const proof = chance(0.5)
          ? await humanProof(soul.sealer, soul.name, soul.epoch)
          : undefined;
        return chain.seal(soul.sealer, soul.tokenId, text(), { agentURI: uri(), proof });
      },
    },
    revise: {
      weight: 8,
      act: async () => {
        const soul = await valid();
        return soul && chain.revise(soul.sealer, soul.tokenId, text());
      },
    },
    sell: {
      weight: 8,
      act: async () => {
        const soul = await pick(({ status }) => status !== BURNED);
        const buyer = oneOf(OWNERS);
        return soul && chain.movePassport(soul.passportId, soul.passportOwner, buyer);
      },
    },
    suspend: {
      weight: 8,
      act: async () => {
        const soul = await pick(
          (one) => one.status !== BURNED && (one.suspended || one.passportOwner !== one.sealer),
        );
        if (!soul) return undefined;
        const [observedOwner] = await chain.suspensionOf(soul.tokenId);
        if (observedOwner === soul.passportOwner.address) return undefined;
        return chain.suspend(CLIENT, soul.tokenId);
      },
    },
    /** The passport comes back: the suspension stays. */
    giveBack: {
      weight: 6,
      act: async () => {
        const soul = await pick((one) => one.suspended && one.passportOwner !== one.sealer);
        return soul && chain.movePassport(soul.passportId, soul.passportOwner, soul.sealer);
      },
    },
    reseal: {
      weight: 8,
      act: async () => {
        const soul = await observed(({ passportOwner, sealer }) => passportOwner !== sealer);
        if (!soul) return undefined;
        const { passportOwner, passportId, tokenId } = soul;
        if (chance(0.4)) await chain.approveWriter(passportOwner, passportId);
        const operator = chance(0.5) ? oneOf(OPERATORS).address : zeroAddress;
        const proof = chance(0.3)
          ? await humanProof(passportOwner, soul.name, soul.epoch + 1)
          : undefined;
        const options = { agentURI: uri(), proof };
        return chain.reseal(passportOwner, tokenId, text(), operator, options);
      },
    },
    resealBySealer: {
      weight: 8,
      act: async () => {
        const soul = await observed(({ passportOwner, sealer }) => passportOwner === sealer);
        if (!soul) return undefined;
        const proof = chance(0.3)
          ? await humanProof(soul.sealer, soul.name, soul.epoch + 1)
          : undefined;
        return chain.reseal(soul.sealer, soul.tokenId, text(), zeroAddress, { proof });
      },
    },
    /** The same owner is observed again after a day. */
    renewSuspension: {
      weight: 1,
      act: async () => {
        const soul = await pick((one) => one.suspended);
        if (!soul) return undefined;
        await chain.client.increaseTime({ seconds: 86_401 });
        return chain.suspend(CLIENT, soul.tokenId);
      },
    },
    release: {
      weight: 3,
      act: async () => {
        const soul = await observed(() => true);
        return soul && chain.release(soul.passportOwner, soul.tokenId);
      },
    },
    changeOperator: {
      weight: 6,
      act: async () => {
        const soul = await valid();
        const operator = chance(0.8) ? oneOf(OPERATORS).address : zeroAddress;
        return soul && chain.changeOperator(soul.sealer, soul.tokenId, operator);
      },
    },
    setDidArchive: {
      weight: 4,
      act: async () => {
        const soul = await valid();
        return soul && chain.setDidArchive(soul.sealer, soul.tokenId, hashOf(text()));
      },
    },
    burn: {
      weight: 2,
      act: async () => {
        const soul = await pick(live);
        return soul && chain.burn(soul.sealer, soul.tokenId);
      },
    },
    approveWriter: {
      weight: 3,
      act: async () => {
        const soul = await pick(live);
        return soul && chain.approveWriter(soul.passportOwner, soul.passportId);
      },
    },
    writePassport: {
      weight: 5,
      act: async () => {
        const soul = await valid();
        if (!soul || !(await chain.isApproved(soul.passportId))) return undefined;
        if (chance(0.5)) return chain.writeAgentUri(soul.sealer, soul.tokenId, `${text()}#`);
        return chain.writeMetadata(soul.sealer, soul.tokenId, oneOf(["site", "note"]), "0xcd");
      },
    },
    syncPassport: {
      weight: 5,
      act: async () => {
        const soul = await pick((one) => one.status === BURNED || live(one));
        if (!soul || !(await chain.isApproved(soul.passportId))) return undefined;
        const synced = chain.syncPassports(CLIENT, [soul.tokenId]);
        // The passport of a burned soul may carry another soul: then the contract refuses, and no
        // row is expected.
        return soul.status === BURNED ? synced.catch(() => undefined) : synced;
      },
    },
    createOrganization: {
      weight: 3,
      act: () => chain.createOrganization(oneOf(OWNERS), text()),
    },
    changeAdmin: {
      weight: 4,
      act: async () => {
        const organizationId = await organization();
        if (!organizationId) return undefined;
        // Zero withdraws; one in three agrees at once.
        if (chance(0.15))
          return chain.changeAdmin(organizationId.admin, organizationId.id, zeroAddress);
        const next = oneOf(OWNERS);
        return chain.changeAdmin(
          organizationId.admin,
          organizationId.id,
          next.address,
          chance(0.33) ? next : undefined,
        );
      },
    },
    acceptAdmin: {
      weight: 4,
      act: async () => {
        const organizationId = await organization();
        const next = organizationId && known(await chain.pendingAdminOf(organizationId.id));
        return next && chain.acceptAdmin(next, organizationId.id);
      },
    },
    join: {
      weight: 10,
      act: async () => {
        const [soul, place] = [await valid(), await organization()];
        if (!soul || !place) return undefined;
        const [organizationId, epoch] = await chain.membershipOf(soul.tokenId);
        const current = (await chain.soulOf(soul.tokenId)).epoch;
        if (organizationId !== 0n && epoch === current) return undefined;
        return chain.join(
          soul.sealer,
          soul.tokenId,
          place.id,
          place.admin === soul.sealer ? undefined : place.admin,
        );
      },
    },
    leave: {
      weight: 3,
      act: async () => {
        const soul = await pick(() => true);
        if (!soul) return undefined;
        const [organizationId] = await chain.membershipOf(soul.tokenId);
        if (organizationId === 0n) return undefined;
        const admin = known(await chain.adminOf(organizationId));
        return admin && chain.leave(chance(0.5) && soul.valid ? soul.sealer : admin, soul.tokenId);
      },
    },
    prune: {
      weight: 5,
      act: async () => {
        const soul = await pick(() => true);
        if (!soul) return undefined;
        const [organizationId, epoch] = await chain.membershipOf(soul.tokenId);
        const dead = soul.status === BURNED || epoch !== (await chain.soulOf(soul.tokenId)).epoch;
        return organizationId !== 0n && dead ? chain.prune(CLIENT, soul.tokenId) : undefined;
      },
    },
    bind: {
      weight: 8,
      act: async () => {
        const [from, to] = [await valid(), await pick(() => true)];
        if (!from || !to || from.tokenId === to.tokenId) return undefined;
        return chain.bind(from.sealer, from.tokenId, to.tokenId, 1 + below(4), text());
      },
    },
    bindByService: {
      weight: 4,
      act: async () => {
        const [from, to] = [await valid(), await pick(() => true)];
        if (!from || !to || from.tokenId === to.tokenId) return undefined;
        // The owner may have decided: then the contract refuses, and no row is expected.
        return chain
          .bindByService(from.tokenId, to.tokenId, 2 + below(3), text())
          .catch(() => undefined);
      },
    },
    setKeys: {
      weight: 5,
      act: async () => {
        const soul = await valid();
        if (!soul) return undefined;
        const keys = chance(0.8) && { hash: hashOf(text()), archiveId: hashOf(text()) };
        return chain.setKeys(soul.sealer, soul.tokenId, keys || null);
      },
    },
    setAllowance: {
      weight: 9,
      act: async () => {
        const soul = await valid();
        if (!soul) return undefined;
        await chain.fund(soul.sealer, 10_000_000n);
        const perTransaction = amount();
        const limits = { perTransaction, dailyLimit: perTransaction * 2n };
        // Some expire while the test runs: then payments are refused. The expiry itself is a value
        // like any other.
        const { timestamp } = await chain.client.getBlock();
        // No passport here has an agentWallet: such an allowance refuses every payment.
        const terms = { ...limits, onlyWithAgentWallet: chance(0.2) };
        return chain.setAllowance(
          soul.sealer,
          soul.tokenId,
          chance(0.3) ? { ...limits, validUntil: timestamp + 1_000n } : terms,
        );
      },
    },
    deactivateAllowance: {
      weight: 2,
      act: async () => {
        const soul = await valid();
        if (!soul || !(await chain.allowanceOf(soul.tokenId)).active) return undefined;
        return chain.deactivateAllowance(soul.sealer, soul.tokenId);
      },
    },
    spend: {
      weight: 9,
      act: async () => {
        const soul = await valid();
        if (!soul) return undefined;
        // Outside the limits it reverts, and no row is expected.
        return chain
          .spend(soul.operator, soul.tokenId, oneOf(OPERATORS).address, amount() / 4n)
          .catch(() => undefined);
      },
    },
    trySpend: {
      weight: 9,
      act: async () => {
        const soul = await valid();
        return (
          soul &&
          chain.trySpend(
            soul.operator,
            soul.tokenId,
            oneOf([...OPERATORS, CLIENT]).address,
            amount(),
            hashOf(text()),
          )
        );
      },
    },
    redeem: {
      weight: 6,
      act: async () => {
        const soul = await valid();
        if (!soul) return undefined;
        const payment = {
          tokenId: soul.tokenId,
          recipient: oneOf(OPERATORS).address,
          amount: amount() / 4n,
          paymentRef: hashOf(text()),
        };
        // Outside the limits it reverts, and no row is expected.
        return chain.redeem(CLIENT, soul.operator, payment).catch(() => undefined);
      },
    },
    report: {
      weight: 5,
      act: async () => {
        const soul = await valid();
        if (!soul) return undefined;
        const reported = chance(0.2) ? 2n ** 256n - 1n : amount();
        return chain.report(soul.operator, soul.tokenId, zeroAddress, reported, hashOf(text()));
      },
    },
    anchorBatch: { weight: 4, act: () => chain.anchorBatch(BigInt(1 + below(1000))) },
    recordAlignment: {
      weight: 5,
      act: async () => {
        const [one, other] = [await pick(() => true), await pick(() => true)];
        if (!one || !other || one.tokenId === other.tokenId) return undefined;
        return chain.recordAlignment([
          { tokenId: one.tokenId, score: below(101) },
          { tokenId: other.tokenId, score: below(101) },
        ]);
      },
    },
    proposeVerifier: {
      weight: 2,
      act: async () => {
        const { verifier } = await chain.proposeVerifier(CLIENT.address);
        return verifiers.push({ address: verifier, approved: false });
      },
    },
    activateVerifier: {
      weight: 3,
      act: async () => {
        const proposed = verifiers.find(({ approved }) => !approved);
        if (!proposed) return undefined;
        proposed.approved = true;
        return chain.activateVerifier(CLIENT, proposed.address);
      },
    },
    removeVerifier: {
      weight: 1,
      act: async () => {
        if (verifiers.length < 2) return undefined;
        const [removed] = verifiers.splice(below(verifiers.length), 1);
        return removed && chain.removeVerifier(removed.address);
      },
    },
    setPassportMetadata: {
      weight: 4,
      act: async () => {
        const soul = await pick(() => true);
        if (!soul) return undefined;
        const { passportOwner, passportId } = soul;
        if (chance(0.3)) return chain.setPassportUri(passportOwner, passportId, text());
        return chain.setPassportMetadata(
          passportOwner,
          passportId,
          oneOf(["site", "note"]),
          "0xab",
        );
      },
    },
    giveFeedback: {
      weight: 7,
      act: async () => {
        const soul = await pick(() => true);
        if (!soul) return undefined;
        const client = oneOf([CLIENT, ...OWNERS].filter((one) => one !== soul.passportOwner));
        const { feedbackIndex: index } = await chain.giveFeedback(client, soul.passportId, {
          value: BigInt(below(200)) - 100n,
          valueDecimals: below(19),
          tag1: text(),
        });
        return feedback.push({ passportId: soul.passportId, client, index, revoked: false });
      },
    },
    revokeFeedback: {
      weight: 2,
      act: async () => {
        const entry = feedback.find(({ revoked }) => !revoked);
        if (!entry) return undefined;
        entry.revoked = true;
        return chain.revokeFeedback(entry.client, entry.passportId, entry.index);
      },
    },
    answerFeedback: {
      weight: 3,
      act: async () => {
        if (feedback.length === 0) return undefined;
        const { passportId, client, index } = oneOf(feedback);
        return chain.answerFeedback(oneOf(OWNERS), passportId, client.address, index, text());
      },
    },
    requestValidation: {
      weight: 4,
      act: async () => {
        const soul = await pick(() => true);
        if (!soul) return undefined;
        const validator = oneOf(OPERATORS);
        const { requestHash: hash } = await chain.requestValidation(
          soul.passportOwner,
          soul.passportId,
          validator.address,
          `${seed} ${text()}`,
        );
        return requests.push({ hash, validator });
      },
    },
    answerValidation: {
      weight: 4,
      act: async () => {
        if (requests.length === 0) return undefined;
        const { hash, validator } = oneOf(requests);
        return chain.answerValidation(validator, hash, below(101), text());
      },
    },
  };
  const lots = Object.entries(operations).flatMap(([kind, { weight }]) =>
    Array<string>(weight).fill(kind),
  );

  return {
    tally,
    async run(count, after) {
      for (let done = 0; done < count; ) {
        const kind = oneOf(lots);
        if ((await operations[kind]?.act()) === undefined) continue;
        tally[kind] = (tally[kind] ?? 0) + 1;
        done += 1;
        await after?.(done);
      }
    },
  };
}

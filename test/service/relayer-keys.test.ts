import type { Address, Hex } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { stackAccounts } from "../../scripts/local-stack/accounts.ts";
import { newAccount } from "../api/features/sign-in/harness.ts";
import { bearer, newAgent } from "../fixtures/agents.ts";
import { freshName, registrationBody } from "../fixtures/registrations.ts";
import { makeRelayer } from "../fixtures/relayer-accounts.ts";
import { type Service, startService } from "../fixtures/service.ts";

// A service with two further keys beside the registrar's. Each has its own stream of nonces.

const keys = [generatePrivateKey(), generatePrivateKey()];
const further: readonly Address[] = keys.map((key) => privateKeyToAccount(key).address);
const registrar = stackAccounts().relayer.address;
let service: Service;

beforeAll(async () => {
  service = await startService({
    prepare: async (chain) => {
      for (const account of further) await makeRelayer(chain, account);
    },
    environment: { RELAYER_PRIVATE_KEYS: keys.join() },
  });
});
afterAll(() => service?.stop());

const senderOf = async (hash: Hex) =>
  lower((await service.chain.client.getTransaction({ hash })).from);
const lower = (address: Address) => address.toLowerCase();

it("registers with the first key alone, and sends the rest with the further ones at once", async () => {
  const { client } = service.chain;
  const before = await client.getTransactionCount({ address: registrar });
  const owners = [newAccount(), newAccount(), newAccount()];
  const signed = await Promise.all(
    owners.map((owner) => service.signedRegistration(registrationBody(freshName(), owner), owner)),
  );
  const registered = await Promise.all(signed.map((body) => service.submit(body)));
  expect(registered.map(({ status }) => status)).toEqual([201, 201, 201]);
  const [first, second, third] = registered.map(({ body }) => body);

  const bind = (from: typeof first, to: typeof first) =>
    service.post(
      "/v1/binding",
      {
        tokenId: from.tokenId,
        partnerTokenId: to.tokenId,
        trustLevel: "verified",
        context: "Counts.",
      },
      bearer(from.apiKey),
    );
  await client.setAutomine(false);
  onTestFinished(() => client.setAutomine(true));
  const binding = Promise.all([bind(first, second), bind(second, third)]);
  const pending = () =>
    Promise.all(
      further.map((address) => client.getTransactionCount({ address, blockTag: "pending" })),
    );
  // Neither is mined: the second did not wait for the first.
  await expect.poll(pending, { timeout: 30_000 }).toEqual([1, 1]);
  await client.mine({ blocks: 1 });
  await client.setAutomine(true);
  const bound = await binding;
  expect(bound.map(({ status }) => status)).toEqual([201, 201]);
  const last = await newAgent(service);

  const minted = await Promise.all(registered.map(({ body }) => senderOf(body.mintTxHash)));
  expect(minted).toEqual([registrar, registrar, registrar].map(lower));
  const senders = await Promise.all(bound.map(({ body }) => senderOf(body.txHash)));
  expect(new Set(senders)).toEqual(new Set(further.map(lower)));
  expect(last.tokenId).toBeGreaterThan(Math.max(first.tokenId, second.tokenId, third.tokenId));

  // What the service recorded of each key is what the chain has of it, without a gap.
  expect(await client.getTransactionCount({ address: registrar })).toBe(before + 4);
  const { rows } = await service.pool.query<{ sender: string; nonces: number[] }>(`
    select lower(sender) as sender, array_agg(nonce::int order by nonce) as nonces
    from app.relayer_transaction where status = 'mined' group by 1`);
  const recorded = Object.fromEntries(rows.map(({ sender, nonces }) => [sender, nonces]));
  expect(recorded).toEqual({
    [lower(registrar)]: [0, 1, 2, 3].map((index) => before + index),
    ...Object.fromEntries(further.map((account) => [lower(account), [0]])),
  });
});

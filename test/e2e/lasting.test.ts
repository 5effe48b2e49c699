import { setTimeout as delay } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import {
  LASTING_STACK_VARIABLE,
  type LastingStackPlace,
} from "../../scripts/local-stack/lasting-stack.ts";
import { connectSignInChain } from "../fixtures/sign-in-chain-client.ts";
import { svc } from "../fixtures/svc.ts";
import { type Integrator, integrator, newAccount } from "./integrator.ts";

// A stack that a whole run of the tests starts at its beginning. It is used here only once it is
// older than the five minutes after which nodes, pools and subscriptions drop state. A run of
// chosen files has no such stack and skips this file.

const OLD_MS = 6 * 60_000;

const variable = process.env[LASTING_STACK_VARIABLE];

describe.skipIf(variable === undefined)("a stack that has been up for six minutes", () => {
  let user: Integrator;
  let env: Record<string, string>;
  let chain: Awaited<ReturnType<typeof connectSignInChain>>;

  beforeAll(async () => {
    const place = JSON.parse(variable ?? "") as LastingStackPlace;
    if ("error" in place) throw new Error(`The stack was not started: ${place.error}`);
    user = integrator(place.apiUrl, place.deploymentPath);
    env = { SVC_RPC_URL: place.rpcUrl, SVC_DEPLOYMENT: place.deploymentPath };
    chain = await connectSignInChain(place.rpcUrl, place.deploymentPath);
    const age = Date.now() - place.readyAt;
    if (age < OLD_MS) await delay(OLD_MS - age);
  }, OLD_MS + 60_000);

  it("shows a registration in its profile within a second of its block", async () => {
    const owner = newAccount();
    const { agentName, tokenId, transactionHash } = await user.register({ signer: owner });
    const hash = transactionHash as `0x${string}`;
    const { blockNumber } = await chain.client.getTransactionReceipt({ hash });
    // This service waits for the index for one second and then answers with the indexed block.
    expect(user.registeredAt()).toBeGreaterThanOrEqual(blockNumber);
    const profile = await user.client.request("getProfile", { path: { name: agentName } });
    expect(profile).toMatchObject({
      status: 200,
      data: {
        tokenId,
        owner: owner.address,
        genesisStatus: "SEALED",
        soulValidity: { status: "valid" },
      },
    });
  });

  it("suspends the soul and ends the session of a seller whose passport was sold", async () => {
    const [seller, buyer] = [newAccount(), newAccount()];
    await chain.fund(seller.address);
    const { agentName, tokenId, passportId } = await user.register({ signer: seller });
    const { accessToken } = await user.client.signIn({ signer: seller, agentId: passportId });
    const introspect = () => user.client.call("introspectToken", { body: { token: accessToken } });
    expect(await introspect()).toMatchObject({ active: true });
    expect((await svc(["verify", "agent", agentName], { env })).code).toBe(0);

    const sold = await chain.transferPassport(BigInt(passportId), seller, buyer.address);
    const validity = await user.client.request("getSoulValidity", {
      path: { tokenId },
      query: { minBlock: String(sold) },
    });
    expect(validity).toMatchObject({
      status: 200,
      data: { valid: false, sealedBy: seller.address, currentPassportOwner: buyer.address },
    });
    expect(await introspect()).toEqual({ active: false });
    expect((await svc(["verify", "agent", agentName], { env })).code).toBe(1);
  });

  it("is ready and not behind", async () => {
    expect((await fetch(`${user.client.service}/ready`)).status).toBe(200);
    const { lagBlocks } = await user.client.call("getStatus");
    expect(lagBlocks).toBeLessThanOrEqual(1);
  });
});

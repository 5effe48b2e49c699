import { afterAll, beforeAll, expect, it } from "vitest";
import { newAgent, soulWithDocuments } from "../fixtures/agents.ts";
import type { Service } from "../fixtures/service.ts";
import { sharedService } from "../fixtures/service.ts";

let service: Service;

beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service?.stop());

it("a revision into the soul of another agent is shown as a duplicate in profile, verification and page", async () => {
  const soul = soulWithDocuments([]);
  const original = await newAgent(service, soul);
  const copy = await newAgent(service);
  const body = {
    tokenId: copy.tokenId,
    category: "technical",
    data: {
      changeType: "soul_revision",
      newSoulHash: soul.soulHash,
      newSoulMerkleRoot: soul.soulMerkleRoot,
      newSoulSalt: soul.soulSalt,
      merkleLeaves: soul.merkleLeaves,
    },
  };
  expect((await service.get(`/v1/profile/${copy.name}`)).body.duplicateOf).toBeNull();
  const { body: typedData } = await service.post("/v1/typed-data/chronicle", body);
  const signature = await copy.owner.signTypedData(typedData);
  const signed = { ...body, signature, message: typedData.message, signer: copy.owner.address };
  expect((await service.post("/v1/chronicle", signed)).status).toBe(201);

  const { sealedAt } = (await service.get(`/v1/profile/${original.name}`)).body;
  const duplicateOf = {
    tokenId: original.tokenId,
    agentName: original.name,
    genesisStatus: "SEALED",
    sealedAt,
  };
  expect((await service.get(`/v1/profile/${copy.name}`)).body).toMatchObject({
    soulHash: soul.soulHash,
    duplicateOf,
  });
  expect((await service.get(`/v1/verify/${copy.name}`)).body).toMatchObject({
    duplicateOf,
    // The passport's metadata still has the former hash, because only the owner may write it.
    overallStatus: "partial",
  });
  const page = (await service.get(`/agents/${copy.name}`)).body as string;
  expect(page).toContain("Another agent sealed this soul first");
  expect(page).toContain(`<a href="/agents/${original.name}">${original.name}</a>`);

  const list = (await service.get(`/agents?q=${copy.name}`)).body as string;
  expect(list).toContain(
    `Has the soul of <a href="/agents/${original.name}">${original.name}</a>, which sealed it first`,
  );

  // The first agent is not marked, however many copies there are.
  expect((await service.get(`/v1/profile/${original.name}`)).body.duplicateOf).toBeNull();
  expect((await service.get(`/v1/verify/${original.name}`)).body.duplicateOf).toBeNull();
  expect((await service.get(`/agents/${original.name}`)).body).not.toContain(
    "Another agent sealed this soul first",
  );
  expect((await service.get(`/agents?q=${original.name}`)).body).not.toContain("Has the soul of");
});

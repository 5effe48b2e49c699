import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { claimPorts } from "../../scripts/local-stack/ports.ts";
import { type Service, sharedService } from "../fixtures/service.ts";
import { runTutorial, type TutorialPlace } from "../fixtures/tutorials.ts";
import { type PackedPackage, packPackage } from "../package/package-project.ts";

// The tutorials as a reader follows them: in one new folder, where the package is installed from its
// tarball. The first one registers the agent that the others use.

let service: Service;
let packed: PackedPackage;
let place: TutorialPlace;

beforeAll(async () => {
  [service, packed] = await Promise.all([sharedService(), packPackage()]);
  const ports = await claimPorts({ api: 0, chain: 0, indexer: 0, postgres: 0 });
  const ownerKey = generatePrivateKey();
  await service.chain.fund(privateKeyToAddress(ownerKey));
  place = {
    folder: packed.project({}, ["@hono/node-server", "hono", "solc"]),
    environment: {
      SERVICE: service.url,
      RPC_URL: service.chain.rpcUrl,
      OWNER_KEY: ownerKey,
      SHOP: `http://127.0.0.1:${ports.api}`,
      RECEIVER: `http://127.0.0.1:${ports.chain}`,
    },
  };
  expect((await runTutorial("register", place)).problems).toEqual([]);
});
afterAll(async () => {
  packed?.remove();
  await service?.stop();
});

it.each([
  ["sign-in", 2],
  ["contract", 1],
  ["webhooks", 4],
  ["disclosure", 2],
])("the tutorial %s shows what its %i commands print", async (name, compared) => {
  expect(await runTutorial(name, place)).toEqual({ problems: [], compared });
});

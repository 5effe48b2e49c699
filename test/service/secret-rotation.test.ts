import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import type { Address } from "viem";
import { expect, inject, it, onTestFinished } from "vitest";
import { rotateSecret } from "../../scripts/processes/rotation.ts";
import { newAccount } from "../api/features/sign-in/harness.ts";
import { bearer, signedInOwner } from "../fixtures/agents.ts";
import {
  apiClient,
  freshName,
  idempotencyKey,
  PUBLIC_DESCRIPTION,
  registrationBody,
} from "../fixtures/registrations.ts";
import { makeRelayer } from "../fixtures/relayer-accounts.ts";
import { startApi } from "../fixtures/running-service.ts";
import { sharedService } from "../fixtures/service.ts";

// All secrets of a service are rotated at once. A process of the service runs with the configuration before the
// rotation, and one with that after each step: two that are a step apart run beside each other in a real rotation.

type Api = ReturnType<typeof apiClient>;
type Variables = Readonly<Record<string, string>>;

const STEPS = ["add", "use", "remove"] as const;
const HOURS_MS = 2 * 3_600_000;

/** The configuration before the rotation and after each of its steps, and the account of the new relayer. */
async function rotated(before: Variables, directory: string) {
  const path = join(directory, ".env");
  const lines = Object.entries(before).map(([name, value]) =>
    /^(?:MASTER_KEYS|JWT_SECRETS|RELAYER_PRIVATE_KEY)$/.test(name)
      ? `${name}=${value}`
      : `${name}='${value}'`,
  );
  await writeFile(path, `${lines.join("\n")}\n`);
  const configurations = [before];
  let said = "";
  for (const step of STEPS) {
    const now = new Date(Date.now() + configurations.length * HOURS_MS);
    const secrets = step === "remove" ? ["token", "relayer"] : ["token", "master", "relayer"];
    for (const secret of secrets) said += rotateSecret(path, [secret, step], now);
    configurations.push(parseEnv(await readFile(path, "utf8")) as Variables);
  }
  return { configurations, relayer: /^Added (0x\w+) as/m.exec(said)?.[1] as Address };
}

/** What was made by one process, and is used at another. */
async function makeAt(api: Api) {
  const owner = newAccount();
  const registration = await api.signedRegistration(registrationBody(freshName(), owner), owner);
  const key = idempotencyKey();
  const registered = await api.submit(registration, key);
  expect(registered.status, JSON.stringify(registered.body)).toBe(201);
  const { tokenId, apiKey } = registered.body;
  const { accessToken } = await signedInOwner(api, owner, { scope: ["manage"] });
  const headers = { ...bearer(apiKey), "Idempotency-Key": key };
  const webhook = { tokenId, url: "http://127.0.0.1:9000/", events: ["soul.burned"] };
  const created = await api.post("/v1/webhooks", webhook, headers);
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  return { registration, key, registered, accessToken, headers, webhook, created };
}

/** Everything that rests on a secret: no token is refused, and nothing that was encrypted is unreadable. */
async function expectUsable(api: Api, made: Awaited<ReturnType<typeof makeAt>>): Promise<void> {
  const { tokenId, apiKey } = made.registered.body;
  const token = made.accessToken;
  const introspected = await api.post("/api/v1/auth/token/introspect", { token });
  expect(introspected.body).toMatchObject({ active: true });
  const path = `/v1/sessions?tokenId=${tokenId}`;
  const sessions = await api.request(path, { headers: bearer(token) });
  expect(sessions.status, JSON.stringify(sessions.body)).toBe(200);
  // Answers with secrets are derived again from the request and a master key.
  const repeated = await api.submit(made.registration, made.key);
  expect([repeated.status, repeated.body]).toEqual([201, made.registered.body]);
  const again = await api.post("/v1/webhooks", made.webhook, made.headers);
  expect([again.status, again.body]).toEqual([201, made.created.body]);
  // The proof takes the salt, which a master key encrypts.
  const disclosures = [{ field: "identity.description", value: PUBLIC_DESCRIPTION }];
  const disclosed = await api.post("/v1/disclose", { tokenId, disclosures }, bearer(apiKey));
  expect(disclosed.status, JSON.stringify(disclosed.body)).toBe(200);
}

it("rotates token, master and relayer secrets with two processes a step apart, and nothing fails", async () => {
  const { chain, pool, stop } = await sharedService();
  onTestFinished(stop);
  const directory = await mkdtemp(join(tmpdir(), "svc-rotation-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const { configurations, relayer } = await rotated(inject("service").environment, directory);
  await makeRelayer(chain, relayer);

  const processes = await Promise.all(
    configurations.map(async (configuration) => {
      const { url, stop: end } = await startApi(configuration, directory);
      onTestFinished(end);
      return apiClient(url);
    }),
  );
  const made = await Promise.all(processes.map(makeAt));
  await Promise.all(
    processes.map(async (api, step) => {
      for (const one of made.slice(Math.max(0, step - 1), step + 2)) await expectUsable(api, one);
    }),
  );

  // The new secrets were really used, and the old ones really removed.
  const [[first], last] = [made, processes.at(-1)];
  const token = first?.accessToken;
  const introspected = await last?.post("/api/v1/auth/token/introspect", { token });
  expect(introspected?.body).toEqual({ active: false });
  const { rows } = await pool.query<{ status: string }>(
    "select status from app.relayer_transaction where lower(sender) = lower($1)",
    [relayer],
  );
  expect(rows).toEqual(Array(2).fill({ status: "mined" }));
});

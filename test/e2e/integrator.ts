import { readFileSync } from "node:fs";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import {
  type Client,
  createClient,
  type RegisteredAgent,
  type RegisterInput,
  type SigningClientOptions,
} from "../../kit/client/index.ts";
import { freshName } from "../fixtures/registrations.ts";

/** The service as an integrator's program sees it: the client, with the contracts it trusts. */
export interface Integrator {
  readonly client: Client;
  /** Registers an agent; `change` replaces parts of it. */
  register(change?: Partial<RegisterInput>): Promise<RegisteredAgent>;
  /** The block that reads had reached when the last registration was answered. */
  readonly registeredAt: () => bigint;
}

export const newAccount = () => privateKeyToAccount(generatePrivateKey());

export function integrator(
  service: string,
  deploymentPath: string,
  options: Partial<SigningClientOptions> = {},
): Integrator {
  let registeredAt = -1n;
  const client = createClient({
    service,
    deployment: JSON.parse(readFileSync(deploymentPath, "utf8")),
    async fetch(request) {
      const response = await fetch(request);
      if (new URL(request.url).pathname === "/v1/register") {
        registeredAt = BigInt(response.headers.get("x-svc-block") ?? -1);
      }
      return response;
    },
    ...options,
  });
  return {
    client,
    registeredAt: () => registeredAt,
    register: (change = {}) =>
      client.register({
        soul: { identity: { name: freshName(), agent_type: "assistant" } },
        signer: newAccount(),
        generatedPicture: true,
        ...change,
      }),
  };
}

import { describe, expect, it } from "vitest";
import type { Identity } from "../../../../api/kernel/access.ts";
import { ApiError, type ErrorType } from "../../../../api/kernel/errors.ts";
import { testApp } from "../../helpers.ts";

// A credential that ends while its request issues another one, as an emergency stop ends it.

const OWNER = `0x${"1".repeat(40)}` as const;
const ID = "5b6f8a52-0000-4000-8000-000000000004";
const session: Identity = {
  caller: { kind: "session", id: "owner", sessionId: ID, owner: OWNER, agentId: null },
  account: null,
};

/** An app whose caller is authenticated again with this outcome. */
function appOf(second: ErrorType | null) {
  const takenBack: string[] = [];
  let calls = 0;
  const app = testApp({
    access: {
      async authenticate() {
        calls += 1;
        if (calls > 1 && second !== null) throw new ApiError(second);
        return session;
      },
      authorise: async () => {},
    },
    keyRotation: {
      rotate: async () => ({
        tokenId: 7n,
        passportId: 9n,
        keyId: ID,
        apiKey: "new",
        previousKeysValidUntil: new Date(0),
        endedKeys: [],
      }),
    },
    agentKeys: {
      list: async () => ({ entries: [], next: null }),
      agentOf: async () => 7n,
      revoke: async (keyId) => void takenBack.push(keyId),
    },
    webhooks: {
      create: async () => ({ webhookId: ID, secret: "whsec_x" }),
      takeBack: async (id: string) => void takenBack.push(id),
    } as never,
  });
  const post = (path: string, body: object) =>
    app.request(path, {
      method: "POST",
      headers: { authorization: "Bearer x", "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  return { post, takenBack };
}

describe.each([
  ["/v1/keys/rotate", { tokenId: 7 }, 200],
  ["/v1/webhooks", { tokenId: 7, url: "https://a.example/", events: ["owner.claimed"] }, 201],
] as const)("POST %s", (path, body, created) => {
  it("takes back what it issued when its session ended meanwhile", async () => {
    const { post, takenBack } = appOf("UNAUTHORIZED");
    const answer = await post(path, body);
    expect(answer.status).toBe(401);
    expect(await answer.text()).not.toMatch(/new|whsec_x/);
    expect(takenBack).toEqual([ID]);
  });

  it("keeps what it issued when it cannot tell, for the repetition of the request", async () => {
    const { post, takenBack } = appOf("INDEX_BEHIND");
    expect((await post(path, body)).status).toBe(503);
    expect(takenBack).toEqual([]);
  });

  it("answers while its session lasts", async () => {
    const { post, takenBack } = appOf(null);
    expect((await post(path, body)).status).toBe(created);
    expect(takenBack).toEqual([]);
  });
});

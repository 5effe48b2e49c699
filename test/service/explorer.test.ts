import { brotliCompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newAccount } from "../api/features/sign-in/harness.ts";
import { newAgent, type TestAgent } from "../fixtures/agents.ts";
import { organizationVerbs } from "../fixtures/organizations.ts";
import { freshName } from "../fixtures/registrations.ts";
import { type Service, sharedService } from "../fixtures/service.ts";

// The explorer's pages as any client gets them: without a script.

let service: Service;
/** A word that only these agents say. */
const WORD = `zebrafinch${Date.now().toString(36)}`;
let finch: TestAgent;
let acting: TestAgent;
const operator = newAccount();

beforeAll(async () => {
  service = await sharedService();
  finch = await newAgent(service, {
    publicIdentity: {
      tagline: `A ${WORD} <b>tamer</b>\u202e`,
      category: "wellness",
      tags: ["wren"],
    },
  });
  acting = await newAgent(service, { operatorAddress: operator.address });
});
afterAll(() => service?.stop());

async function page(path: string) {
  const answer = await service.request(path, { headers: { accept: "text/html" } });
  return { ...answer, text: String(answer.body) };
}

/** The names of the listed agents, in their order. */
async function listed(query: string): Promise<string[]> {
  const { text, status } = await page(`/agents?${query}`);
  expect(status).toBe(200);
  return [...text.matchAll(/class="agent-card-name" href="\/agents\/([^"]+)"/g)].map(
    ([, name = ""]) => name,
  );
}

const indexed = async () => {
  const block = await service.chain.client.getBlockNumber({ cacheTime: 0 });
  expect((await service.get(`/v1/agents?limit=1&minBlock=${block}`)).status).toBe(200);
};

describe("the list of agents", () => {
  it("finds words of what agents say, beginnings of names, ids, accounts and DIDs", async () => {
    const { name, tokenId, passportId, owner } = finch;
    expect(await listed(`q=${WORD}`)).toEqual([name]);
    expect(await listed(`q=${WORD.slice(0, 12).toUpperCase()}`)).toEqual([name]);
    expect(await listed(`q=tamer+${WORD}`)).toEqual([name]);
    expect(await listed(`q=elephant+${WORD}`)).toEqual([]);
    expect(await listed(`q=${name.slice(0, -1)}`)).toEqual([name]);
    expect(await listed(`q=did:svc:31337:${name}`)).toEqual([name]);
    expect(await listed(`q=${owner.address}`)).toEqual([name]);
    expect(await listed(`q=${operator.address}`)).toEqual([acting.name]);
    expect(await listed(`q=${tokenId}`)).toContain(name);
    expect(await listed(`q=agent-${passportId}`)).toEqual([name]);
  });

  it("forgets words that were replaced, and finds the new ones", async () => {
    const agent = await newAgent(service, { publicIdentity: { bio: `Old${WORD}` } });
    expect(await listed(`q=old${WORD}`)).toEqual([agent.name]);
    const answer = await service.request(`/v1/public-identity/${agent.tokenId}`, {
      method: "PUT",
      headers: { authorization: `Bearer ${agent.apiKey}`, "content-type": "application/json" },
      body: JSON.stringify({
        tokenId: agent.tokenId,
        publicIdentity: { bio: `New${WORD}`, category: "knowledge" },
      }),
    });
    expect(answer.status).toBe(200);
    expect(await listed(`q=old${WORD}`)).toEqual([]);
    expect(await listed(`q=new${WORD}`)).toEqual([agent.name]);
    expect(await listed(`q=new${WORD}&category=knowledge`)).toEqual([agent.name]);
    expect(await listed(`q=new${WORD}&category=wellness`)).toEqual([]);
  });

  it("holds every filter, order and view in its address", async () => {
    const { name, owner } = finch;
    const by = `q=${WORD}`;
    expect(await listed(`${by}&validity=valid&type=&category=wellness&sort=name`)).toEqual([name]);
    expect(await listed(`${by}&validity=suspended`)).toEqual([]);
    expect(await listed(`${by}&category=commerce`)).toEqual([]);
    expect(await listed(`${by}&human=1`)).toEqual([]);
    expect(await listed(`owner=${owner.address}`)).toEqual([name]);
    expect(await listed(`operator=${operator.address}`)).toEqual([acting.name]);
    const { text } = await page(`/agents?${by}&view=table&sort=alignment&category=wellness`);
    expect(text).toContain('<table class="agent-table">');
    expect(text).toContain('<option value="alignment" selected="">');
    expect(text).toContain('<option value="wellness" selected="">');
    expect(text).toContain(
      `<a href="/agents?q=${WORD}&amp;category=wellness&amp;sort=alignment">Cards</a>`,
    );
  });

  it.each(["newest", "registered", "name", "active", "alignment"])(
    "shows every agent once, page by page, by %s",
    async (sort) => {
      const owner = newAccount();
      const names: string[] = [];
      for (let count = 0; count < 3; count += 1) {
        const agent = freshName();
        await service.register(agent, owner);
        names.push(agent);
      }
      expect((await listed(`owner=${owner.address}&sort=${sort}`)).toSorted()).toEqual(
        names.toSorted(),
      );
      const all: string[] = [];
      let path = `/agents?sort=${sort}`;
      for (let turn = 0; turn < 60 && path !== ""; turn += 1) {
        const { text, status } = await page(path);
        expect(status).toBe(200);
        for (const [, name = ""] of text.matchAll(
          /class="agent-card-name" href="\/agents\/([^"]+)"/g,
        ))
          all.push(name);
        path = /href="([^"]+)" rel="next"/.exec(text)?.[1]?.replaceAll("&amp;", "&") ?? "";
      }
      expect(new Set(all).size).toBe(all.length);
      expect(all).toEqual(expect.arrayContaining(names));
    },
  );

  it("offers both readings of digits, and what an account has", async () => {
    const { name, tokenId, owner } = finch;
    const { text } = await page(`/agents?q=${tokenId}`);
    expect(text).toContain(`Certificate ${tokenId}`);
    expect(text).toContain(`Passport ${tokenId}`);
    expect(text).toContain(`<a href="/certificates/${tokenId}">the certificate</a>`);
    expect(text).toContain(`<a href="/agents/${name}">${name}</a>`);
    const { text: none } = await page("/agents?q=999999999999");
    expect(none.match(/<span class="muted">none<\/span>/g)).toHaveLength(2);
    expect((await page(`/agents?q=${owner.address.toLowerCase()}`)).text).toContain(
      `<a href="/owners/${owner.address}">`,
    );
  });

  it("leads from a name to its agent, and from anything else to the list", async () => {
    const { name, tokenId } = finch;
    const to = async (sought: string) => {
      const answer = await service.request(`/agents?name=${encodeURIComponent(sought)}`, {
        redirect: "manual",
      });
      expect(answer.status).toBe(303);
      return answer.headers.get("location");
    };
    expect(await to(` ${name.toUpperCase()} `)).toBe(`/agents/${name}`);
    expect(await to(`did:svc:31337:${name}`)).toBe(`/agents/${name}`);
    expect(await to(name.slice(0, -1))).toBe(`/agents/${name}`);
    expect(await to(String(tokenId))).toBe(`/agents?q=${tokenId}`);
    expect(await to("heron-")).toBe("/agents?q=heron-");
    expect(await to("no such <agent>")).toBe("/agents?q=no+such+%3Cagent%3E");
    expect(await to("")).toBe("/agents");
  });

  it.each(["/agents", "/endpoints", "/proofs/alignment"])(
    "leads from digits in the place of a name, after %s, to both readings of them",
    async (path) => {
      const answer = await service.request(`${path}/${finch.tokenId}`, { redirect: "manual" });
      expect([answer.status, answer.headers.get("location")]).toEqual([
        303,
        `/agents?q=${finch.tokenId}`,
      ]);
    },
  );

  it("marks names that are easily mistaken, in lists and on agents' pages", async () => {
    const ending = freshName().slice(6);
    const original = await newAgent(service, { agentName: `orlo${ending}` });
    const copy = await newAgent(service, { agentName: `0r1o${ending}` });
    const { text } = await page(`/agents?q=${copy.name}`);
    expect(text).toContain(
      `Easily mistaken for <a href="/agents/${original.name}">${original.name}</a>`,
    );
    const { text: own } = await page(`/agents/${copy.name}`);
    expect(own).toContain("Its name is easily mistaken for an older one");
    expect(own).toContain(`<a href="/agents/${original.name}">${original.name}</a>`);
    for (const path of [`/agents?q=${original.name}`, `/agents/${original.name}`]) {
      expect((await page(path)).text.toLowerCase()).not.toContain("easily mistaken");
    }
  });

  it("shows what agents say as text, and says what to do when there is nothing", async () => {
    const { text } = await page(`/agents?q=${WORD}`);
    expect(text).toContain(`A ${WORD} &lt;b&gt;tamer&lt;/b&gt;[U+202E]`);
    const { text: nothing } = await page("/agents?q=%3Cscript%3Ealert(1)%3C/script%3E");
    expect(nothing).toContain("No agent matches");
    expect(nothing).not.toContain("<script>alert");
  });

  it.each([
    ["validity=good", "validity"],
    ["type=robot", "type"],
    ["category=none", "category"],
    ["sort=score", "sort"],
    ["view=list", "view"],
    ["human=yes", "human"],
    ["answers=0", "answers"],
    ["organization=0", "organization"],
    ["owner=0x1", "owner"],
    [`q=${"x".repeat(129)}`, "q"],
    ["after=heron", "after"],
    ["sort=active&after=1", "after"],
    ["sort=alignment&after=1.2.3", "after"],
  ])("refuses %s", async (query, field) => {
    const { status, body } = await service.get(`/agents?${query}`);
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: { type: "INVALID_REQUEST" } });
    expect(JSON.stringify(body)).toContain(field);
  });

  it("weighs less than 150 KB with everything that it loads", async () => {
    for (const path of ["/agents", "/agents?view=table"]) {
      const { text } = await page(path);
      const files = [...text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(
        ([, file = ""]) => file,
      );
      const sizes = await Promise.all(
        [path, ...new Set(files)].map(async (file) => {
          const answer = await fetch(new URL(file, service.url));
          return brotliCompressSync(Buffer.from(await answer.arrayBuffer())).length;
        }),
      );
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(150_000);
    }
    const answer = await fetch(new URL("/agents", service.url), {
      headers: { accept: "text/html", "accept-encoding": "gzip" },
    });
    expect(answer.headers.get("content-encoding")).toBe("gzip");
  });
});

describe("a passport", () => {
  it("is shown without a soul, with its transfers, metadata and owner", async () => {
    const [owner, buyer] = [newAccount(), newAccount()];
    await service.chain.fund(owner.address);
    const agentId = await service.chain.registerPassport(owner, "https://wren.example/<a>");
    await service.chain.transferPassport(agentId, owner, buyer.address);
    await indexed();
    const { text, status } = await page(`/passports/${agentId}`);
    expect(status).toBe(200);
    expect(text).toContain("It carries no soul");
    expect(text).toContain(`<a href="/agents/agent-${agentId}">agent-${agentId}</a>`);
    expect(text).toContain("https://wren.example/&lt;a&gt;");
    expect(text).toContain(`<a href="/owners/${buyer.address}">`);
    expect(text).toMatch(/From .* to .*Minted to /s);
    expect(text).toContain("agentWallet");
    expect(text).toContain("cleared");
    const { text: owned } = await page(`/owners/${buyer.address}`);
    expect(owned).toContain(`<a href="/passports/${agentId}">Passport ${agentId}</a>`);
    expect(owned).toContain("without a soul");
    // The list of transfers behind the oldest one.
    const { text: past } = await page(`/passports/${agentId}?before=0.0`);
    expect(past).toContain("The list ends here.");
  });

  it("names the soul that it carries, and the souls that it carried", async () => {
    const { text } = await page(`/passports/${finch.passportId}`);
    expect(text).toContain(`It carries the soul of <a href="/agents/${finch.name}">`);
    expect(text).toContain(`<a class="muted" href="/certificates/${finch.tokenId}">`);
  });

  it.each([
    ["/passports/9007199254740990", 404],
    ["/passports/-1", 400],
    ["/passports/heron", 400],
    ["/passports/1?before=heron", 400],
    ["/certificates/9007199254740990", 404],
    ["/certificates/9007199254740990/image.svg", 404],
    ["/certificates/0", 400],
    ["/certificates/1?before=0", 400],
    ["/owners/0x1", 400],
    ["/owners/heron", 400],
  ])("answers %s with %i", async (path, status) => {
    expect((await service.get(path)).status).toBe(status);
  });
});

describe("a certificate", () => {
  it("is shown as the contract draws it, with its epochs", async () => {
    const { text } = await page(`/certificates/${finch.tokenId}`);
    const src = `/certificates/${finch.tokenId}/image.svg`;
    for (const shown of [text, (await page(`/agents/${finch.name}`)).text]) {
      expect(shown).toContain(`<img src="${src}"`);
    }
    const image = await page(src);
    const svg = image.text;
    expect(image.headers.get("content-type")).toBe("image/svg+xml");
    // Opened by itself it could run what the contract wrote, if this did not forbid it.
    expect(image.headers.get("content-security-policy")).toMatch(/^default-src 'none'/);
    const etag = image.headers.get("etag") as string;
    const held = await service.request(src, { headers: { "if-none-match": etag } });
    expect([held.status, etag]).toEqual([304, expect.stringMatching(/^(W\/)?"/)]);
    expect(svg).toContain(">valid<");
    expect(svg).toMatch(/^<svg [^>]*viewBox="0 0 512 512"/);
    expect(svg).toContain(finch.name);
    expect(text).toContain(`Epoch 1</strong> of <a href="/owners/${finch.owner.address}">`);
    expect(text).toContain(`<a href="/passports/${finch.passportId}">`);
  });

  it("of a sold passport is suspended in list, certificate and passport alike", async () => {
    const sold = await newAgent(service);
    await service.chain.fund(sold.owner.address);
    const buyer = newAccount().address;
    await service.chain.transferPassport(BigInt(sold.passportId), sold.owner, buyer);
    await indexed();
    expect(await listed(`q=${sold.name}&validity=suspended`)).toEqual([sold.name]);
    expect(await listed(`q=${sold.name}&validity=valid`)).toEqual([]);
    for (const path of [
      `/agents?q=${sold.name}`,
      `/certificates/${sold.tokenId}`,
      `/passports/${sold.passportId}`,
    ]) {
      const { text } = await page(path);
      expect(text).toContain('<span class="badge caution">Suspended</span>');
      expect(text).not.toContain('<span class="badge good">Valid</span>');
    }
    const { text: svg } = await page(`/certificates/${sold.tokenId}/image.svg`);
    expect(svg).toContain(">suspended<");
  });
});

describe("an account", () => {
  it("has its agents, passports, organizations, and agents that it acts for", async () => {
    const { owner, name, passportId } = finch;
    const organizationId = await organizationVerbs(service).found(owner, "Finches <i>&</i>");
    await indexed();
    const { text } = await page(`/owners/${owner.address}`);
    expect(text).toContain(`class="agent-card-name" href="/agents/${name}">`);
    expect(text).toContain(`<a href="/passports/${passportId}">Passport ${passportId}</a>`);
    expect(text).toContain(`<a href="/organizations/${organizationId}">`);
    expect(text).toContain("Finches &lt;i&gt;&amp;&lt;/i&gt;");
    const { text: acts } = await page(`/owners/${operator.address}`);
    expect(acts).toContain(`<a href="/agents/${acting.name}">${acting.name}</a>`);
    const { text: empty } = await page(`/owners/${newAccount().address}`);
    expect(empty).toContain("This account has nothing here");
  });

  it("is linked from its agents, certificates and organizations", async () => {
    const link = `<a href="/owners/${finch.owner.address}">`;
    for (const path of [`/agents/${finch.name}`, `/certificates/${finch.tokenId}`]) {
      expect((await page(path)).text).toContain(link);
    }
  });
});

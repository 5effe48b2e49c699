import { createRoute, z } from "@hono/zod-openapi";
import { createRouter, errorResponses } from "../../api/platform/http/router.ts";
import { idNumber, TokenIdParam } from "../../api/platform/http/schemas.ts";
import type { ChainSouls } from "../../api/soul/chain-soul.ts";
import { assertSoul, requireSoul } from "../../api/soul/require-soul.ts";
import { operations } from "../operation-rules.ts";
import { NoOwnerNotice } from "../owner/components.tsx";
import { consoleSignIn } from "../owner/console-access.ts";
import { namingAgents, signedWords } from "../owner/words.ts";
import type { PageKit } from "../ui/kit.ts";
import { sendPage } from "../ui/send.tsx";
import { consolePage, foreignPage, SectionLinks, signedOutPage } from "./frame.page.tsx";
import { type IdentitySectionDeps, identitySection } from "./sections/identity.page.tsx";
import { type KeysSectionDeps, keysSection } from "./sections/keys.page.tsx";
import { type PassportSectionDeps, passportSection } from "./sections/passport.page.tsx";
import { type RecordsSectionDeps, recordsSection } from "./sections/records.page.tsx";
import { type ReputationSectionDeps, reputationSection } from "./sections/reputation.page.tsx";
import { type WebhooksSectionDeps, webhooksSection } from "./sections/webhooks.page.tsx";
import {
  SECTION_IDS,
  SECTIONS,
  type Section,
  type SectionContext,
  type SectionId,
} from "./sections.page.ts";
import { standingOf } from "./standing.page.tsx";

export interface SectionPageDeps
  extends KeysSectionDeps,
    WebhooksSectionDeps,
    RecordsSectionDeps,
    IdentitySectionDeps,
    ReputationSectionDeps,
    PassportSectionDeps {
  readonly pages: PageKit;
  readonly souls: ChainSouls;
  readonly clock: () => Date;
}

const showConsoleSectionPage = createRoute({
  method: "get",
  path: "/console/{tokenId}/{section}",
  operationId: "showConsoleSectionPage",
  request: {
    params: z.object({ tokenId: TokenIdParam, section: z.enum(SECTION_IDS) }),
    query: z.object({ webhook: z.uuid().optional() }),
  },
  responses: {
    200: { description: "The page." },
    ...errorResponses("INVALID_REQUEST", "NOT_FOUND", "CHAIN_UNAVAILABLE", "REGISTRY_PENDING"),
  },
});

const MAKERS: Readonly<
  Record<SectionId, (deps: SectionPageDeps, context: SectionContext) => Promise<Section>>
> = {
  keys: keysSection,
  webhooks: webhooksSection,
  records: recordsSection,
  identity: identitySection,
  reputation: reputationSection,
  passport: passportSection,
};

/** Everything that an owner signs here. */
const WORDS = signedWords({
  SoulRegistry: ["EmergencyStop", "RecordEvolution", "SetDidArchive", "AgentUriUpdate"],
  AllowanceVault: ["DeactivateAllowance"],
  PassportWriter: ["SetAgentURI"],
  AgentKeys: ["SetAgentKeys"],
});

/** One part of the console about one agent. */
export function sectionPageRoutes(deps: SectionPageDeps) {
  const { pages, souls, clock } = deps;

  return createRouter(operations).openapi(showConsoleSectionPage, async (c) => {
    const { tokenId, section: id } = c.req.valid("param");
    const { webhook = null } = c.req.valid("query");
    const signedIn = consoleSignIn(c);
    if (signedIn === null) return sendPage(c, pages, signedOutPage(pages));
    const { access, caller } = signedIn;
    const soul = await requireSoul(souls, tokenId, "registered");
    const { name } = soul;
    const standing = standingOf(soul, caller.owner);
    if (standing === null) return sendPage(c, pages, foreignPage(pages, access, name));
    const { title } = SECTIONS[id];
    const links = <SectionLinks tokenId={tokenId} present={id} />;
    const frame = { title: `${title} of ${name}`, eyebrow: name, heading: title, links };
    if (standing !== "owned") {
      const body = <NoOwnerNotice title="Nothing can be changed now" name={name} />;
      const lead = "This waits until the soul has an owner again.";
      return sendPage(c, pages, consolePage(pages, access, { ...frame, lead, actions: [], body }));
    }
    const owned = assertSoul(soul, "owned");
    const section = await MAKERS[id](deps, {
      kit: pages,
      soul: owned,
      tokenId: idNumber(tokenId),
      caller,
      now: clock(),
      webhookId: webhook,
    });
    const { lead, actions, asksWallet, body } = section;
    const page = { ...frame, lead, actions, body, words: namingAgents(WORDS, soul) };
    return sendPage(
      c,
      pages,
      consolePage(pages, access, asksWallet ? { ...page, signer: owned.owner } : page),
    );
  });
}

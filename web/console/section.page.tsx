import { z } from "@hono/zod-openapi";
import { consolePage as consoleRules } from "../../api/platform/http/operations.ts";
import { idNumber, TokenIdParam } from "../../api/platform/http/schemas.ts";
import type { ChainSouls } from "../../api/soul/chain-soul.ts";
import { assertSoul, requireSoul } from "../../api/soul/require-soul.ts";
import { NoOwnerNotice } from "../owner/components.tsx";
import { consoleSignIn } from "../owner/console-access.ts";
import { namingAgents, signedWords } from "../owner/words.ts";
import { page } from "../ui/page.ts";
import { consolePage, foreignPage, SectionLinks, signedOutPage } from "./frame.page.tsx";
import { identitySection } from "./sections/identity.page.tsx";
import { keysSection } from "./sections/keys.page.tsx";
import { passportSection } from "./sections/passport.page.tsx";
import { recordsSection } from "./sections/records.page.tsx";
import { reputationSection } from "./sections/reputation.page.tsx";
import { webhooksSection } from "./sections/webhooks.page.tsx";
import {
  SECTION_IDS,
  SECTIONS,
  type Section,
  type SectionContext,
  type SectionId,
} from "./sections.page.ts";
import { standingOf } from "./standing.page.tsx";

const MAKERS = {
  keys: keysSection,
  webhooks: webhooksSection,
  records: recordsSection,
  identity: identitySection,
  reputation: reputationSection,
  passport: passportSection,
} satisfies Readonly<Record<SectionId, (deps: never, context: SectionContext) => Promise<Section>>>;

/** What all sections read, together. */
type SectionDeps = (typeof MAKERS)[SectionId] extends (deps: infer All, context: never) => unknown
  ? All
  : never;

/** Everything that an owner signs here. */
const WORDS = signedWords({
  SoulRegistry: ["EmergencyStop", "RecordEvolution", "SetDidArchive", "AgentUriUpdate"],
  AllowanceVault: ["DeactivateAllowance"],
  PassportWriter: ["SetAgentURI"],
  AgentKeys: ["SetAgentKeys"],
});

/** One part of the console about one agent. */
export const showConsoleSectionPage = page({
  operationId: "showConsoleSectionPage",
  rules: consoleRules,
  path: "/console/{tokenId}/{section}",
  params: { tokenId: TokenIdParam, section: z.enum(SECTION_IDS) },
  query: { webhook: z.uuid().optional() },
  errors: ["INVALID_REQUEST", "NOT_FOUND", "CHAIN_UNAVAILABLE", "REGISTRY_PENDING"],
  async show(
    { tokenId, section: id, webhook = null },
    deps: SectionDeps & { readonly souls: ChainSouls; readonly clock: () => Date },
    kit,
    c,
  ) {
    const signedIn = consoleSignIn(c);
    if (signedIn === null) return signedOutPage(kit);
    const { access, caller } = signedIn;
    const soul = await requireSoul(deps.souls, tokenId, "registered");
    const { name } = soul;
    const standing = standingOf(soul, caller.owner);
    if (standing === null) return foreignPage(kit, access, name);
    const { title } = SECTIONS[id];
    const links = <SectionLinks tokenId={tokenId} present={id} />;
    const frame = { title: `${title} of ${name}`, eyebrow: name, heading: title, links };
    if (standing !== "owned") {
      const body = <NoOwnerNotice title="Nothing can be changed now" name={name} />;
      const lead = "This waits until the soul has an owner again.";
      return consolePage(kit, access, { ...frame, lead, actions: [], body });
    }
    const owned = assertSoul(soul, "owned");
    const section = await MAKERS[id](deps, {
      kit,
      soul: owned,
      tokenId: idNumber(tokenId),
      caller,
      now: deps.clock(),
      webhookId: webhook,
    });
    const { lead, actions, asksWallet, body } = section;
    const page = { ...frame, lead, actions, body, words: namingAgents(WORDS, soul) };
    return consolePage(kit, access, asksWallet ? { ...page, signer: owned.owner } : page);
  },
});

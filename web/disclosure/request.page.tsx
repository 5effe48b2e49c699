import { z } from "@hono/zod-openapi";
import type { Child } from "hono/jsx";
import type { WithDisclosure } from "../../api/features/disclosure/context.ts";
import { endpointOf } from "../../api/features/disclosure/requests/requests.ts";
import { consolePage as consoleRules } from "../../api/platform/http/operations.ts";
import { idNumber } from "../../api/platform/http/schemas.ts";
import { type ChainSoul, type ChainSouls, ownerOf } from "../../api/soul/chain-soul.ts";
import { requireSoul } from "../../api/soul/require-soul.ts";
import { agentTypeName } from "../../protocol/index.ts";
import { OwnerHead } from "../owner/components.tsx";
import { consoleAccess } from "../owner/console-access.ts";
import type { ConsoleAccess } from "../owner/data.ts";
import { Notice, ScriptRoot } from "../ui/components.tsx";
import type { PageKit } from "../ui/kit.ts";
import type { Page } from "../ui/layout.tsx";
import { ofAgent, page } from "../ui/page.ts";
import { connectableOrigin } from "../ui/send.tsx";
import type { ApprovalPageData } from "./page-data.ts";

interface DisclosureRequestPageDeps extends WithDisclosure {
  readonly pages: PageKit;
  readonly souls: ChainSouls;
  readonly disclosurePlace: { readonly soulView: `0x${string}` };
}

/** The page on which an owner answers one request. What it asks for is read after a sign-in. */
export const showDisclosureRequestPage = page({
  operationId: "showDisclosureRequestPage",
  rules: consoleRules,
  path: "/disclosures/{tokenId}/requests/{requestId}",
  params: { ...ofAgent.params, requestId: z.uuid() },
  errors: ["INVALID_REQUEST", ...ofAgent.errors],
  async show({ tokenId, requestId }, deps: DisclosureRequestPageDeps, _kit, c) {
    const soul = await requireSoul(deps.souls, tokenId, "registered");
    const endpoint = await endpointOf(deps.disclosure, tokenId, requestId);
    const request = { requestId, endpoint, console: consoleAccess(c) };
    return requestPage(deps, soul, request);
  },
});

function requestPage(
  { pages, disclosurePlace }: DisclosureRequestPageDeps,
  soul: ChainSoul,
  request: {
    readonly requestId: string;
    readonly endpoint: string | null;
    readonly console: ConsoleAccess | null;
  },
): Page {
  const { name } = soul;
  const owner = ownerOf(soul);
  const title = `A request to ${name}`;
  const head = (
    <OwnerHead eyebrow="Selective disclosure" title={title}>
      Another agent asks to see a part of this agent's soul. You decide about each field. What you
      do not show stays closed, and cannot be guessed from what you show.
    </OwnerHead>
  );
  if (owner === null || soul.status !== "SEALED") {
    return { title, body: <NothingToShow head={head} soul={soul} /> };
  }
  const origin = request.endpoint === null ? null : connectableOrigin(request.endpoint);
  const data: ApprovalPageData = {
    network: pages.network,
    soulView: disclosurePlace.soulView,
    requestId: request.requestId,
    tokenId: idNumber(soul.tokenId),
    passportId: idNumber(soul.passportId),
    agentName: name,
    agentType: agentTypeName(soul.agentType),
    owner,
    console: request.console,
  };
  return {
    title,
    script: "approve",
    // Beside the service, only where the requester takes values from its owner's browser.
    connects: origin === null ? ["'self'"] : ["'self'", origin],
    body: (
      <div class="stack">
        {head}
        <ScriptRoot script="approve" data={data} />
      </div>
    ),
  };
}

function NothingToShow({ head, soul }: { head: Child; soul: ChainSoul }) {
  const { name, status } = soul;
  const why =
    status === "BURNED"
      ? "The soul has ended"
      : status === "PROVISIONAL"
        ? "The soul is not sealed yet"
        : "The soul is suspended";
  return (
    <div class="stack">
      {head}
      <Notice tone="caution" title={why}>
        <p>
          Nothing of it can be disclosed now. See <a href={`/agents/${name}`}>{name}</a>.
        </p>
      </Notice>
    </div>
  );
}

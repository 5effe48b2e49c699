import {
  type EndedGrants,
  type EndedReads,
  endedGrants,
} from "../../api/features/endings/ended-grants.ts";
import { unlistedPage } from "../../api/platform/http/operations.ts";
import { idNumber } from "../../api/platform/http/schemas.ts";
import { type ChainSoul, type ChainSouls, ownerOf } from "../../api/soul/chain-soul.ts";
import { requireSoul } from "../../api/soul/require-soul.ts";
import { ActionArea, OwnerHead, WalletCard } from "../owner/components.tsx";
import type { OwnerAction } from "../owner/data.ts";
import { onlyOwner } from "../owner/signers.ts";
import { namingAgents, signedWords } from "../owner/words.ts";
import { Card, Code, Notice } from "../ui/components.tsx";
import { TextField } from "../ui/fields.tsx";
import type { PageKit } from "../ui/kit.ts";
import type { Page } from "../ui/layout.tsx";
import { ofAgent, page } from "../ui/page.ts";
import { GrantsList } from "./grants.page.tsx";

/** The page on which an owner ends an agent for ever. */
export const showBurnPage = page({
  operationId: "showBurnPage",
  rules: unlistedPage,
  path: "/burn/{tokenId}",
  ...ofAgent,
  async show(
    { tokenId },
    {
      souls,
      endedReads,
    }: {
      readonly souls: ChainSouls;
      readonly endedReads: EndedReads;
    },
    kit,
  ) {
    const soul = await requireSoul(souls, tokenId, "registered");
    return burnPage(kit, soul, await endedGrants(endedReads, soul));
  },
});

function burnPage(kit: PageKit, soul: ChainSoul, grants: EndedGrants): Page {
  const { name } = soul;
  const tokenId = idNumber(soul.tokenId);
  const owner = ownerOf(soul);
  if (owner === null) return { title: `End ${name}`, body: <NothingToBurn soul={soul} /> };
  const burn: OwnerAction = {
    kind: "sign",
    id: "burn",
    signers: onlyOwner({ owner, name }),
    labels: { start: "Review what you sign", sign: "Sign and burn", send: "End the soul" },
    form: "burn-form",
    confirm: { field: "confirmation", text: name },
    soul: null,
    isFinal: true,
    request: {
      typedData: "burn",
      method: "POST",
      path: `/v1/burn/${tokenId}`,
      body: { tokenId },
      preparation: {},
    },
    done: {
      done: {
        title: `${name} has ended`,
        text: "Its profile, archive and history stay. The last events go out, then keys and webhooks end.",
        links: [
          { href: `/agents/${name}`, label: `To ${name}` },
          { href: `/reincarnate/${tokenId}`, label: "Register its successor" },
        ],
      },
    },
  };
  const words = namingAgents(signedWords({ SoulRegistry: ["Burn"] }), soul);
  return {
    title: `End ${name}`,
    script: "owner",
    body: (
      <div class="stack">
        <OwnerHead eyebrow="Burn" title={`End ${name} for ever`}>
          The soul ends, and nothing brings it back. The name stays taken.
        </OwnerHead>
        <Card id="ends" title="What ends">
          <GrantsList grants={grants} />
          <ul>
            <li>Its DID is deactivated, and it can sign in and act no more.</li>
            <li>Its profile stays readable and says that it has ended.</li>
            <li>Its passport stays yours, and is free to carry another soul.</li>
          </ul>
        </Card>
        <WalletCard data={{ network: kit.network, actions: [burn], words }}>
          <p>
            Only the agent's owner can sign this: <Code>{owner}</Code>. You send no transaction, and
            the service pays the network's fees.
          </p>
        </WalletCard>
        <Card id="burning" title="Burn it">
          <ActionArea id="burn">
            <TextField
              name="reason"
              label="Reason"
              hint="In your own words. Only its hash goes on chain."
            />
            <TextField
              name="confirmation"
              label={`Type ${name} to confirm`}
              hint="It cannot be undone."
              reads="own"
            />
          </ActionArea>
        </Card>
      </div>
    ),
  };
}

function NothingToBurn({ soul }: { soul: ChainSoul }) {
  const { name, status, tokenId } = soul;
  const isBurned = status === "BURNED";
  return (
    <div class="stack">
      <OwnerHead eyebrow="Burn" title={isBurned ? `${name} has ended` : `${name} is suspended`}>
        There is nothing to burn here.
      </OwnerHead>
      <Notice tone="caution" title={isBurned ? "The soul has ended" : "The passport was sold"}>
        {isBurned ? (
          <p>
            Its last owner can <a href={`/reincarnate/${tokenId}`}>register its successor</a>.
          </p>
        ) : (
          <p>
            Only the passport's owner decides now: to <a href={`/reseal/${tokenId}`}>reseal</a> the
            soul, or to release it.
          </p>
        )}
      </Notice>
    </div>
  );
}

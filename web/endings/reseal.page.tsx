import type { Address } from "viem";
import {
  type EndedGrants,
  type EndedReads,
  endedGrants,
} from "../../api/features/endings/ended-grants.ts";
import { unlistedPage } from "../../api/platform/http/operations.ts";
import { idNumber } from "../../api/platform/http/schemas.ts";
import { type ChainSoul, type ChainSouls, ownerOf } from "../../api/soul/chain-soul.ts";
import { requireSoul } from "../../api/soul/require-soul.ts";
import { agentTypeName } from "../../protocol/index.ts";
import { ActionArea, OwnerHead, SoulFields, WalletCard } from "../owner/components.tsx";
import type { OwnerAction } from "../owner/data.ts";
import { namingAgents, signedWords } from "../owner/words.ts";
import { Card, Code, DescriptionItem, DescriptionList, Notice } from "../ui/components.tsx";
import { TextField } from "../ui/fields.tsx";
import type { PageKit } from "../ui/kit.ts";
import type { Page } from "../ui/layout.tsx";
import { ofAgent, page } from "../ui/page.ts";
import { inWords } from "../ui/text.ts";
import { GrantsList } from "./grants.page.tsx";

/** The page on which a passport's owner takes the soul over, or ends it. */
export const showResealPage = page({
  operationId: "showResealPage",
  rules: unlistedPage,
  path: "/reseal/{tokenId}",
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
    return resealPage(kit, soul, await endedGrants(endedReads, soul));
  },
});

function resealPage(kit: PageKit, soul: ChainSoul, grants: EndedGrants): Page {
  const { name, passportOwner, status } = soul;
  const title = `Take over ${name}`;
  if (status === "BURNED" || passportOwner === null || ownerOf(soul) !== null) {
    return { title, body: <NothingToReseal soul={soul} /> };
  }
  const isBack = passportOwner === soul.sealer;
  const actions = actionsOf(soul, passportOwner);
  const words = namingAgents(signedWords({ SoulRegistry: ["Reseal", "Release"] }), soul);
  return {
    title,
    script: "owner",
    body: (
      <div class="stack">
        <OwnerHead eyebrow="After a sale" title={title}>
          {isBack
            ? "Its passport is back with you, and the suspension stands. Seal the soul again, or release it."
            : "Its passport has a new owner. Seal a soul of your own for it, or release the one that came with it."}
        </OwnerHead>
        <Card id="agent" title="The agent">
          <DescriptionList>
            <DescriptionItem name="Agent">
              <a href={`/agents/${name}`}>{name}</a>, certificate {String(soul.tokenId)}
            </DescriptionItem>
            <DescriptionItem name="Type">{inWords(agentTypeName(soul.agentType))}</DescriptionItem>
            <DescriptionItem name="Passport">
              {String(soul.passportId)}, owned by <Code>{passportOwner}</Code>
            </DescriptionItem>
            <DescriptionItem name="Sealed by">
              <Code>{soul.sealer}</Code>
            </DescriptionItem>
          </DescriptionList>
          <p class="muted">Name and type of an agent never change.</p>
        </Card>
        <Card id="granted" title="What was granted before">
          <p>None of it acts now. A reseal or a release ends it for good.</p>
          <GrantsList grants={grants} />
        </Card>
        <WalletCard data={{ network: kit.network, actions, words }}>
          <p>
            Only the passport's owner can sign this: <Code>{passportOwner}</Code>. You send no
            transaction, and the service pays the network's fees.
          </p>
        </WalletCard>
        <Card id="resealing" title="Reseal it">
          <p>
            You give the agent a new soul, which you vouch for. You get a new API key, and a file
            with the salt of the soul. The archive of the former soul stays.
          </p>
          <ActionArea id="reseal">
            <SoulFields />
            <TextField
              name="operatorAddress"
              label="Operator"
              hint="The agent's own account, which may spend what you allow. Leave it empty, and only you act for it."
              reads="optional"
            />
          </ActionArea>
        </Card>
        <Card id="releasing" title="Or release it">
          <p>
            The soul ends for ever. Your passport is free to carry another soul, and the name stays
            taken.
          </p>
          <ActionArea id="release">
            <TextField
              name="releaseConfirmation"
              label={`Type ${name} to release it`}
              hint="It cannot be undone."
              reads="own"
            />
          </ActionArea>
        </Card>
      </div>
    ),
  };
}

function actionsOf(soul: ChainSoul, passportOwner: Address): OwnerAction[] {
  const { name } = soul;
  const tokenId = idNumber(soul.tokenId);
  const signers = {
    accounts: [passportOwner],
    refusal: `This account does not own the passport of ${name}`,
  };
  const links = [{ href: `/agents/${name}`, label: `To ${name}` }];
  const review = "Review what you sign";
  return [
    {
      kind: "sign",
      id: "reseal",
      signers,
      labels: { start: review, sign: "Sign and reseal", send: "Seal the new soul" },
      form: "reseal-form",
      confirm: null,
      soul: { agentName: name, agentType: agentTypeName(soul.agentType), former: null },
      request: {
        typedData: "reseal",
        method: "POST",
        path: `/v1/reseal/${tokenId}`,
        body: { tokenId },
        preparation: {},
      },
      done: { done: { title: `${name} is sealed by you`, text: null, links } },
    },
    {
      kind: "sign",
      id: "release",
      signers,
      labels: { start: "Review the release", sign: "Sign and release", send: "End the soul" },
      form: "release-form",
      confirm: { field: "releaseConfirmation", text: name },
      isFinal: true,
      soul: null,
      request: {
        typedData: "release",
        method: "POST",
        path: `/v1/release/${tokenId}`,
        body: { tokenId },
        preparation: {},
      },
      done: { done: { title: `${name} has ended`, text: "Your passport is free.", links } },
    },
  ];
}

function NothingToReseal({ soul }: { soul: ChainSoul }) {
  const { name, status, tokenId } = soul;
  const isBurned = status === "BURNED";
  return (
    <div class="stack">
      <OwnerHead eyebrow="After a sale" title={`${name} needs no new owner`}>
        There is nothing to reseal or to release.
      </OwnerHead>
      <Notice tone="info" title={isBurned ? "The soul has ended" : "No suspension stands"}>
        {isBurned ? (
          <p>
            Its last owner can <a href={`/reincarnate/${tokenId}`}>register its successor</a>.
          </p>
        ) : (
          <p>
            The passport of <a href={`/agents/${name}`}>{name}</a> is with the account that sealed
            the soul.
          </p>
        )}
      </Notice>
    </div>
  );
}

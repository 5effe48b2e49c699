import type { Hex } from "viem";
import { unlistedPage } from "../../api/platform/http/operations.ts";
import { idNumber } from "../../api/platform/http/schemas.ts";
import type { ChainSoul, ChainSouls } from "../../api/soul/chain-soul.ts";
import { requireSoul } from "../../api/soul/require-soul.ts";
import { AGENT_TYPES, agentTypeName } from "../../protocol/index.ts";
import { ActionArea, OwnerHead, SoulFields, WalletCard } from "../owner/components.tsx";
import type { OwnerAction } from "../owner/data.ts";
import { namingAgents, signedWords } from "../owner/words.ts";
import { Card, Code, DescriptionItem, DescriptionList, Notice } from "../ui/components.tsx";
import { Choice, TextField } from "../ui/fields.tsx";
import type { PageKit } from "../ui/kit.ts";
import type { Page } from "../ui/layout.tsx";
import { ofAgent, page } from "../ui/page.ts";
import { inWords } from "../ui/text.ts";

/** The page on which the last owner of an agent that ended registers its successor. */
export const showReincarnatePage = page({
  operationId: "showReincarnatePage",
  rules: unlistedPage,
  path: "/reincarnate/{tokenId}",
  ...ofAgent,
  async show(
    { tokenId },
    {
      souls,
      genesisSoulHash,
    }: {
      readonly souls: ChainSouls;
      /** The soul hash of a soul's first seal. */
      readonly genesisSoulHash: (tokenId: bigint) => Promise<Hex>;
    },
    kit,
  ) {
    const soul = await requireSoul(souls, tokenId, "registered");
    const first = await genesisSoulHash(tokenId);
    return reincarnatePage(kit, soul, first);
  },
});

/** What the last owner signs and sends. */
function registerAction(
  { name, sealer, soulHash, tokenId }: ChainSoul,
  firstSoulHash: Hex,
): OwnerAction {
  return {
    kind: "sign",
    id: "reincarnate",
    signers: { accounts: [sealer], refusal: `This account was not the last owner of ${name}` },
    labels: {
      start: "Review what you sign",
      sign: "Sign and register",
      send: "Register the successor",
    },
    form: "reincarnate-form",
    confirm: null,
    soul: {
      agentName: null,
      agentType: null,
      former: { name, soulHashes: [soulHash, firstSoulHash] },
    },
    request: {
      typedData: "reincarnate",
      method: "POST",
      path: "/v1/reincarnate",
      body: { parentTokenId: idNumber(tokenId), ownerAddress: "$account" },
      preparation: {},
    },
    done: {
      done: {
        title: "The successor is registered and sealed",
        text: `Its page and that of ${name} name each other.`,
        links: [{ href: "/agents/{agentName}", label: "See its page" }],
      },
    },
  };
}

function reincarnatePage(kit: PageKit, parent: ChainSoul, firstSoulHash: Hex): Page {
  const { name, sealer } = parent;
  const title = `Successor of ${name}`;
  if (parent.status !== "BURNED") return { title, body: <Alive soul={parent} /> };
  const register = registerAction(parent, firstSoulHash);
  const words = namingAgents(signedWords({ SoulRegistry: ["Registration"] }), parent);
  return {
    title,
    script: "owner",
    body: (
      <div class="stack">
        <OwnerHead eyebrow="Reincarnation" title={title}>
          {name} has ended. Its last owner can register a successor, on a new passport and under a
          new name.
        </OwnerHead>
        <Card id="parent" title="The agent that ended">
          <DescriptionList>
            <DescriptionItem name="Agent">
              <a href={`/agents/${name}`}>{name}</a>, certificate {String(parent.tokenId)}
            </DescriptionItem>
            <DescriptionItem name="Its last soul hash">
              <Code>{parent.soulHash}</Code>
            </DescriptionItem>
          </DescriptionList>
        </Card>
        <WalletCard data={{ network: kit.network, actions: [register], words }}>
          <p>
            Only its last owner can sign this: <Code>{sealer}</Code>. You send no transaction, and
            the service pays the network's fees.
          </p>
        </WalletCard>
        <Card id="successor" title="The successor">
          <ActionArea id="reincarnate">
            <TextField
              name="newAgentName"
              label="Name"
              hint="3 to 32 lowercase letters, digits and hyphens. It never changes."
            />
            <Choice
              name="agentType"
              label="Type"
              value={agentTypeName(parent.agentType)}
              options={AGENT_TYPES.map((value) => ({ value, label: inWords(value) }))}
            />
            <Choice
              name="soulOrigin"
              label="Its soul"
              options={[
                { value: "new", label: "A new soul, with a new salt" },
                { value: "former", label: `The same soul as ${name}` },
              ]}
              hint={`The same soul is the same text with the same salt. Its hash is then that of ${name}, which shows in public that the successor continues it, and proofs of its fields still fit. With a new soul no hash connects the two.`}
              reads="own"
            />
            <TextField
              name="soulSalt"
              label={`Salt of ${name}`}
              hint="Only for the same soul: soulSalt in the proof file that you kept."
              reads="own"
            />
            <SoulFields />
            <TextField
              name="operatorAddress"
              label="Operator"
              hint="The agent's own account. Leave it empty, and only you act for it."
              reads="optional"
            />
          </ActionArea>
        </Card>
      </div>
    ),
  };
}

function Alive({ soul: { name, tokenId } }: { soul: ChainSoul }) {
  return (
    <div class="stack">
      <OwnerHead eyebrow="Reincarnation" title={`${name} has not ended`}>
        Only an agent that has ended can have a successor.
      </OwnerHead>
      <Notice tone="info" title="There is nothing to do here">
        <p>
          See <a href={`/agents/${name}`}>{name}</a>, or what{" "}
          <a href={`/console/${tokenId}`}>its owner can do</a>.
        </p>
      </Notice>
    </div>
  );
}

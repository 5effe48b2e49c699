import { consolePage as consoleRules } from "../../api/platform/http/operations.ts";
import { idNumber } from "../../api/platform/http/schemas.ts";
import { type ChainSoul, type ChainSouls, ownerOf } from "../../api/soul/chain-soul.ts";
import { requireSoul } from "../../api/soul/require-soul.ts";
import { ActionArea, NoOwnerNotice, OwnerHead, WalletCard } from "../owner/components.tsx";
import { BY_CONSOLE, BY_WALLET, consoleAccess, isConsoleOf } from "../owner/console-access.ts";
import type { ConsoleAccess, OwnerAction, OwnerPageData } from "../owner/data.ts";
import { onlyOwner } from "../owner/signers.ts";
import { signedWords } from "../owner/words.ts";
import { Card, Code, ScriptRoot } from "../ui/components.tsx";
import type { PageKit } from "../ui/kit.ts";
import type { Page } from "../ui/layout.tsx";
import { ofAgent, page } from "../ui/page.ts";

/** The page on which an owner sees who asks for fields, who may, and what was disclosed. */
export const showDisclosuresPage = page({
  operationId: "showDisclosuresPage",
  rules: consoleRules,
  path: "/disclosures/{tokenId}",
  ...ofAgent,
  async show(
    { tokenId },
    deps: {
      readonly pages: PageKit;
      readonly souls: ChainSouls;
    },
    _kit,
    c,
  ) {
    const soul = await requireSoul(deps.souls, tokenId, "registered");
    return disclosuresPage(deps.pages, soul, consoleAccess(c));
  },
});

function disclosuresPage(kit: PageKit, soul: ChainSoul, access: ConsoleAccess | null): Page {
  const { name } = soul;
  const owner = ownerOf(soul);
  const title = `What ${name} shows`;
  const head = (
    <OwnerHead eyebrow="Selective disclosure" title={title}>
      Other agents can ask to see single fields of the soul. You say who may ask, and you decide.
    </OwnerHead>
  );
  if (owner === null) {
    return {
      title,
      body: (
        <div class="stack">
          {head}
          <NoOwnerNotice title="Nothing can be disclosed now" name={name} />
        </div>
      ),
    };
  }
  const list: OwnerAction = {
    kind: "disclosures",
    id: "disclosures",
    signers: onlyOwner({ owner, name }),
    tokenId: idNumber(soul.tokenId),
    passportId: idNumber(soul.passportId),
  };
  const data: OwnerPageData = {
    network: kit.network,
    actions: [list],
    words: signedWords({}),
    console: access,
  };
  const isSignedIn = isConsoleOf(access, owner);
  return {
    title,
    script: "owner",
    body: (
      <div class="stack">
        {head}
        {isSignedIn ? (
          <ScriptRoot script="owner" data={data} why="The list is read by a script of this site." />
        ) : (
          <WalletCard data={data}>
            <p>
              Only the agent's owner sees this: <Code>{owner}</Code>
            </p>
          </WalletCard>
        )}
        <Card id="showing" title="Requests, policy and history">
          <p class="muted">{isSignedIn ? BY_CONSOLE : BY_WALLET}</p>
          <ActionArea id="disclosures" />
        </Card>
      </div>
    ),
  };
}

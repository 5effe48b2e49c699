import { consolePage } from "../../api/platform/http/operations.ts";
import { idNumber } from "../../api/platform/http/schemas.ts";
import { type ChainSoul, type ChainSouls, ownerOf } from "../../api/soul/chain-soul.ts";
import { requireSoul } from "../../api/soul/require-soul.ts";
import { ActionArea, NoOwnerNotice, OwnerHead, WalletCard } from "../owner/components.tsx";
import { BY_CONSOLE, BY_WALLET, consoleAccess, isConsoleOf } from "../owner/console-access.ts";
import type { ConsoleAccess, OwnerAction } from "../owner/data.ts";
import { emergencyStop, STOP_WORDS } from "../owner/emergency-stop.ts";
import { namingAgents } from "../owner/words.ts";
import { Card, Code } from "../ui/components.tsx";
import type { PageKit } from "../ui/kit.ts";
import type { Page } from "../ui/layout.tsx";
import { ofAgent, page } from "../ui/page.ts";

/** The page on which an owner sees who acts for an agent, and stops all of it. */
export const showAccessPage = page({
  operationId: "showAccessPage",
  rules: consolePage,
  path: "/access/{tokenId}",
  ...ofAgent,
  async show(
    { tokenId },
    {
      souls,
    }: {
      readonly souls: ChainSouls;
    },
    kit,
    c,
  ) {
    const soul = await requireSoul(souls, tokenId, "registered");
    return accessPage(kit, soul, consoleAccess(c));
  },
});

function accessPage(kit: PageKit, soul: ChainSoul, access: ConsoleAccess | null): Page {
  const { name } = soul;
  const tokenId = idNumber(soul.tokenId);
  const owner = ownerOf(soul);
  const title = `Keys and sessions of ${name}`;
  const head = (
    <OwnerHead eyebrow="Access" title={title}>
      Who can act for the agent, and who hears of it: API keys, sessions and webhooks.
    </OwnerHead>
  );
  if (owner === null) {
    return {
      title,
      body: (
        <div class="stack">
          {head}
          <NoOwnerNotice title="Nothing acts for this agent now" name={name} />
        </div>
      ),
    };
  }
  const stop = emergencyStop({ tokenId, name, owner, page: `/access/${tokenId}` });
  const list: OwnerAction = {
    kind: "access",
    id: "access",
    signers: stop.signers,
    tokenId,
    passportId: idNumber(soul.passportId),
  };
  return {
    title,
    script: "owner",
    body: (
      <div class="stack">
        {head}
        <WalletCard
          data={{
            network: kit.network,
            actions: [stop, list],
            words: namingAgents(STOP_WORDS, soul),
            console: access,
          }}
        >
          <p>
            Only the agent's owner can do this: <Code>{owner}</Code>
          </p>
        </WalletCard>
        <Card id="stopping" title="Emergency stop">
          <p>
            One signature ends every key, session and webhook of the agent, and its allowance. You
            send no transaction. The soul stays valid, and you can create new keys.
          </p>
          <ActionArea id="stop" />
        </Card>
        <Card id="listing" title="Keys, sessions and webhooks">
          <p class="muted">{isConsoleOf(access, owner) ? BY_CONSOLE : BY_WALLET}</p>
          <ActionArea id="access" />
        </Card>
      </div>
    ),
  };
}

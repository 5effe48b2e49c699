import type { z } from "@hono/zod-openapi";
import type { Child } from "hono/jsx";
import { render } from "hono/jsx/dom";
import type { InvitationsAnswer } from "../../../api/features/organizations/index.ts";
import type { InvitationsAction } from "../../owner/data.ts";
import { Code, DescriptionItem, DescriptionList } from "../../ui/components.tsx";
import { momentText } from "../../ui/text.ts";
import type { TypedData } from "../../ui/typed-data.ts";
import type { Connection } from "../wallets/wallet-panel.tsx";
import { sameAddress } from "../wallets/wallets.ts";
import { send } from "./api.ts";
import { actions, button } from "./dom.tsx";
import { failureNotice } from "./failures.tsx";
import { signAndSend, signedRequest } from "./sign-and-send.ts";
import { accountView } from "./signers.tsx";

type Invitations = z.output<typeof InvitationsAnswer>;
type Invitation = Invitations["invitations"][number];

const PATH = "/v1/org/invitations";
const progress = "It costs nothing.";

/**
 * Lists the invitations of the wallet's account, and ends single ones. Each takes one signature and
 * no sign-in, which would need a passport: an admin may own none.
 */
export function invitationsAction(
  area: HTMLElement,
  { organizationId }: InvitationsAction,
): (connection: Connection | null) => void {
  const { show, turn } = accountView(area, null, (connection, problem) => {
    const reading = button("Sign to see them", () => load(connection), "button secondary");
    render([problem, actions(reading)], area);
  });
  return show;

  async function load(connection: Connection): Promise<void> {
    await unlessLeft(connection, async (isShown) => {
      const body = { accountAddress: connection.account };
      const { invitations } = await signAndSend<Invitations>(
        area,
        connection,
        await prepared("org-invitations", body),
        { method: "POST", path: PATH, label: "Read", progress },
        (part) => ({
          ...body,
          organizationId: organizationId ?? undefined,
          ...part,
          signer: connection.account,
        }),
      );
      if (!isShown()) return;
      const end = (invitation: Invitation) => {
        if (isShown()) void finish(invitation, connection);
      };
      const rows = invitations.map((one) => (
        <Row invitation={one} account={connection.account} end={() => end(one)} />
      ));
      const list = <DescriptionList>{rows}</DescriptionList>;
      render(rows.length === 0 ? <p>No invitation waits.</p> : list, area);
    });
  }

  async function finish({ invitationId }: Invitation, connection: Connection): Promise<void> {
    await unlessLeft(connection, async (isShown) => {
      const body = { accountAddress: connection.account, invitationId };
      await signAndSend<null>(
        area,
        connection,
        await prepared("org-invitation-end", body),
        { method: "DELETE", path: `${PATH}/${invitationId}`, label: "End it", progress },
        (part) => ({ ...body, ...part, signer: connection.account }),
      );
      if (isShown()) show(connection, <p role="status">It has ended.</p>);
    });
  }

  async function unlessLeft(
    connection: Connection,
    act: (isShown: () => boolean) => Promise<void>,
  ): Promise<void> {
    const begun = turn();
    const isShown = () => turn() === begun;
    try {
      await act(isShown);
    } catch (error) {
      if (isShown()) show(connection, failureNotice(error));
    }
  }
}

async function prepared(operation: string, body: object) {
  return signedRequest(await send<TypedData>("POST", `/v1/typed-data/${operation}`, body));
}

function Row({
  invitation: { organizationId, tokenId, signedBy, awaiting, expiresAt },
  account,
  end,
}: {
  invitation: Invitation;
  account: string;
  end: () => void;
}): Child {
  const isOwn = signedBy.some(({ signer }) => sameAddress(signer, account));
  const waitsFor = awaiting.map(({ role, signer }) => [`the ${role} `, <Code>{signer}</Code>]);
  const accepting = `/organizations/${organizationId}?agent=${tokenId}#joining-title`;
  return (
    <DescriptionItem name={`Certificate ${tokenId}`}>
      <a href={`/certificates/${tokenId}`}>The agent</a>, and{" "}
      <a href={`/organizations/${organizationId}`}>organization {organizationId}</a>. It waits for{" "}
      {waitsFor}, until {momentText(expiresAt)}. {isOwn ? null : <a href={accepting}>Accept it</a>}
      <br />
      {button(isOwn ? "Withdraw it" : "Decline it", end, "link-button")}
    </DescriptionItem>
  );
}

import { OWNED_ROWS, PUBLISHED } from "../../api/features/private-data/inventory.ts";
import type { SaltChoice } from "../../api/features/private-data/private-data.ts";
import { unlistedPage } from "../../api/platform/http/operations.ts";
import { ActionArea, OwnerHead, WalletCard } from "../owner/components.tsx";
import type { SignedAction } from "../owner/data.ts";
import { signedWords } from "../owner/words.ts";
import { Card } from "../ui/components.tsx";
import { TextField } from "../ui/fields.tsx";
import type { PageKit } from "../ui/kit.ts";
import type { Page } from "../ui/layout.tsx";
import { page } from "../ui/page.ts";

/** The page on which an owner takes or deletes what the service stores about it. */
export const showPrivateDataPage = page({
  operationId: "showPrivateDataPage",
  rules: unlistedPage,
  path: "/private-data",
  show: (_input, _deps, kit) => privateDataPage(kit),
});

/** What must be typed before something is deleted. */
const CONFIRMATION = "delete";
const ANY = { accounts: [], refusal: "" };

const exporting: SignedAction = {
  kind: "sign",
  id: "export",
  signers: ANY,
  labels: {
    start: "Review what is collected",
    sign: "Sign and collect",
    send: "Collect your data",
  },
  form: null,
  confirm: null,
  soul: null,
  request: {
    typedData: "private-data-export",
    method: "POST",
    path: "/v1/private-data/export",
    body: { accountAddress: "$account" },
    preparation: {},
  },
  progress: "The service reads all of its tables.",
  changesNothing: true,
  download: "private-data.json",
  done: {
    done: {
      title: "Your data is collected",
      text: "The file holds the salts of your souls. Keep it where you keep your agents' prompts.",
      links: [],
    },
  },
};

function deleting(id: string, start: string, salts: SaltChoice): SignedAction {
  return {
    kind: "sign",
    id,
    signers: ANY,
    labels: { start, sign: "Sign and delete", send: "Delete your data" },
    form: `${id}-form`,
    confirm: { field: `${id}-confirmation`, text: CONFIRMATION },
    soul: null,
    request: {
      typedData: "private-data-deletion",
      method: "POST",
      path: "/v1/private-data/deletion",
      body: { accountAddress: "$account", salts },
      preparation: {},
    },
    isFinal: true,
    progress: "The service deletes it in one step.",
    download: "deleted-data.json",
    done: {
      done: {
        title: "Your data is deleted",
        text: "The file names what is deleted, and what stays and why.",
        links: [],
      },
    },
  };
}

function privateDataPage(kit: PageKit): Page {
  const actions = [
    exporting,
    deleting("delete", "Review the deletion", "keep"),
    deleting("delete-all", "Review the deletion with the salts", "delete"),
  ];
  const words = signedWords({ SoulRegistry: ["ExportPrivateData", "DeletePrivateData"] });
  return {
    title: "Your data",
    script: "owner",
    body: (
      <div class="stack">
        <OwnerHead eyebrow="Privacy" title="What this service stores about you">
          Beside the chain, this service stores some data of owners: keys, webhooks, requests. You
          can take all of it, and delete most of it.
        </OwnerHead>
        <Card id="published" title="What no service can delete">
          <p>{PUBLISHED}</p>
        </Card>
        <WalletCard data={{ network: kit.network, actions, words }}>
          <p>Connect the account whose data it is. You sign, and send no transaction.</p>
        </WalletCard>
        <Card id="exporting" title="Get a copy of it">
          <p>
            All rows of your account, and of your agents while they were yours. Earlier and later
            owners' data are not in it.
          </p>
          <ActionArea id="export" />
        </Card>
        <Card id="deleting" title="Delete it">
          <p>
            API keys, sign-ins and webhooks of your agents end at once. Souls, passports, allowances
            and chronicles are on chain and stay. Of these the service keeps a part:
          </p>
          <ul>
            {OWNED_ROWS.map(({ description, deletion }) =>
              deletion.kind === "deleted" ? null : (
                <li>
                  {description} {deletion.why}
                </li>
              ),
            )}
          </ul>
          <ActionArea id="delete">
            <TextField
              name="delete-confirmation"
              label={`Type ${CONFIRMATION} to confirm`}
              hint="It cannot be undone. The salts of your souls stay."
              reads="own"
            />
          </ActionArea>
        </Card>
        <Card id="deleting-all" title="Delete the salts too">
          <p>
            The service then can never again prove a field of your souls. With your own copy of the
            salt and of the soul's text, you still can. Get a copy of your data first.
          </p>
          <ActionArea id="delete-all">
            <TextField
              name="delete-all-confirmation"
              label={`Type ${CONFIRMATION} to confirm`}
              hint="It cannot be undone. The salts are deleted with everything else."
              reads="own"
            />
          </ActionArea>
        </Card>
      </div>
    ),
  };
}

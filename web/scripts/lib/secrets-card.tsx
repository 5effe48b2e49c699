import type { Child } from "hono/jsx";
import { Card, Code, Notice } from "../../ui/components.tsx";
import { actions, button, copyText, downloadLink } from "./dom.tsx";

/** Salt and hashes of a soul, which its owner keeps. */
interface SoulProof {
  readonly agentName: string;
  readonly did: string | undefined;
  readonly tokenId: number;
  readonly soulHash: string;
  readonly soulMerkleRoot: string;
  readonly soulSalt: string;
  readonly merkleLeaves: readonly object[];
}

const STATUS_ID = "secrets-status";

/**
 * What is shown once, after a soul was sealed. Leaving while a secret is not kept asks first.
 *
 * @param apiKey Its owner's key; null when it was shown before.
 */
export function secretsCard(
  apiKey: { readonly value: string; readonly note: string } | null,
  proof: SoulProof,
): Child {
  const missing = new Set(apiKey === null ? ["proof file"] : ["proof file", "API key"]);
  const warn = (event: BeforeUnloadEvent) => event.preventDefault();
  window.addEventListener("beforeunload", warn);
  const kept = (what: string) => {
    missing.delete(what);
    if (missing.size === 0) window.removeEventListener("beforeunload", warn);
  };
  const status = () => document.getElementById(STATUS_ID);
  const download = downloadLink(
    proof,
    `${proof.agentName}-soul.json`,
    "Download the proof file",
    () => {
      kept("proof file");
      status()?.replaceChildren("The proof file was downloaded.");
    },
  );
  const copy = async (value: string) => {
    const failed = "Select the key and copy it: the browser did not let this page.";
    const done = "The API key is in the clipboard.";
    if (await copyText(value, status(), done, failed)) kept("API key");
  };
  return (
    <Card title="Keep these now: they are shown once">
      <Notice tone="caution" title="They cannot be shown again">
        <p>
          Without the salt no field of the soul can ever be proven. The holder of the API key acts
          for the agent.
        </p>
      </Notice>
      <h3>Salt and hashes of the soul</h3>
      <p>
        The file holds the salt and the twelve hashes. It belongs beside your copy of the agent's
        prompt.
      </p>
      <p>
        <Code>{proof.soulSalt}</Code>
      </p>
      {actions(download)}
      {apiKey && (
        <>
          <h3>Your API key for the agent</h3>
          <p>{apiKey.note}</p>
          <p>
            <Code>{apiKey.value}</Code>
          </p>
          {actions(button("Copy the API key", () => copy(apiKey.value), "button secondary"))}
        </>
      )}
      <p class="muted" role="status" id={STATUS_ID} />
    </Card>
  );
}

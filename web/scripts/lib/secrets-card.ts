import { actions, button, card, code, downloadLink, element, notice } from "./dom.ts";

/** What is shown once, after a soul was sealed. */
export interface Secrets {
  /** Its owner's key; null when it was shown before. */
  readonly apiKey: { readonly value: string; readonly note: string } | null;
  /** Salt and hashes of the soul. */
  readonly proof: {
    readonly agentName: string;
    readonly did: string | undefined;
    readonly tokenId: number;
    readonly soulHash: string;
    readonly soulMerkleRoot: string;
    readonly soulSalt: string;
    readonly merkleLeaves: readonly object[];
  };
}

/** Leaving while a secret is not kept asks first. */
export function secretsCard({ apiKey, proof }: Secrets): HTMLElement {
  const missing = new Set(apiKey === null ? ["proof file"] : ["proof file", "API key"]);
  const warn = (event: BeforeUnloadEvent) => event.preventDefault();
  window.addEventListener("beforeunload", warn);
  const copyable = (what: string) => {
    missing.delete(what);
    if (missing.size === 0) window.removeEventListener("beforeunload", warn);
  };
  const status = element("p", { class: "muted", role: "status" });
  const file = `${proof.agentName}-soul.json`;
  const download = downloadLink(proof, file, "Download the proof file", () => {
    copyable("proof file");
    status.replaceChildren("The proof file was downloaded.");
  });
  const key: HTMLElement[] = [];
  if (apiKey !== null) {
    const copy = () => {
      navigator.clipboard.writeText(apiKey.value).then(
        () => {
          copyable("API key");
          status.replaceChildren("The API key is in the clipboard.");
        },
        () =>
          status.replaceChildren("Select the key and copy it: the browser did not let this page."),
      );
    };
    key.push(
      element("h3", {}, "Your API key for the agent"),
      element("p", {}, apiKey.note),
      element("p", {}, code(apiKey.value)),
      actions(button("Copy the API key", copy, "button secondary")),
    );
  }
  return card(
    "Keep these now: they are shown once",
    notice(
      "caution",
      "They cannot be shown again",
      "Without the salt no field of the soul can ever be proven. The holder of the API key acts for the agent.",
    ),
    element("h3", {}, "Salt and hashes of the soul"),
    element(
      "p",
      {},
      "The file holds the salt and the twelve hashes. It belongs beside your copy of the agent's prompt.",
    ),
    element("p", {}, code(proof.soulSalt)),
    actions(download),
    ...key,
    status,
  );
}

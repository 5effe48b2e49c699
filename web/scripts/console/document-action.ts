import type { ConsoleAccess, DocumentAction } from "../../owner/data.ts";
import { byConsole, postAs, postFile } from "../lib/api.ts";
import { actions, button, byId, notice } from "../lib/dom.ts";
import { failureNotice } from "../lib/failures.ts";
import { FieldProblem, fieldOf } from "../lib/form-values.ts";
import { progressSteps } from "../lib/steps.ts";
import { reloadSaying } from "./said-after-reload.ts";

/** Formats that the service stores, as files are named. Refused here, before anything is recorded. */
const FORMATS = ["md", "txt", "json", "yaml", "yml", "csv", "pdf"];

interface Described {
  readonly documentId: string;
  readonly title: string;
  readonly documentType: string;
  readonly format: string;
  readonly file: File;
}

/** Announces a document as a chronicle, and uploads it under the URL that the service gives for it. */
export function documentAction(
  area: HTMLElement,
  { form: formId, tokenId }: DocumentAction,
  access: ConsoleAccess,
): void {
  const form = byId(formId) as HTMLFormElement;
  const credential = byConsole(access);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void perform();
  });
  area.setAttribute("aria-live", "polite");
  offer();

  function offer(problem?: HTMLElement): void {
    area.replaceChildren(
      problem ?? "",
      actions(button("Publish the document", () => void perform())),
    );
  }

  async function perform(): Promise<void> {
    try {
      const { file, ...document } = described(form);
      const { list, set } = progressSteps({
        hash: "Hash the file in this page",
        record: "Record it",
        upload: "Upload it",
      });
      area.replaceChildren(list);
      set("hash", "active");
      const contentHash = await sha256(file);
      set("hash", "done");
      set("record", "active");
      await postAs(
        credential,
        "/v1/chronicle",
        { tokenId, category: "document", data: { ...document, contentHash } },
        crypto.randomUUID(),
      );
      const { documentId } = document;
      const { uploadUrl } = await postAs<{ uploadUrl: string }>(
        credential,
        `/v1/soul-documents/${tokenId}/upload-url`,
        { tokenId, documentId, contentHash },
        crypto.randomUUID(),
      );
      set("record", "done");
      set("upload", "active");
      const { pathname, search } = new URL(uploadUrl);
      await postFile(`${pathname}${search}`, file, crypto.randomUUID());
      reloadSaying(`The document ${documentId} is published.`);
    } catch (error) {
      offer(error instanceof FieldProblem ? error.shown : failureNotice(error));
    }
  }
}

/** @throws FieldProblem */
function described(form: HTMLFormElement): Described {
  const text = (name: string) => fieldOf(form, name).value.trim();
  const [file] = (fieldOf(form, "documentFile") as HTMLInputElement).files ?? [];
  if (file === undefined) throw new FieldProblem(notice("caution", "Choose the file"));
  const format = file.name.split(".").at(-1)?.toLowerCase() ?? "";
  if (!FORMATS.includes(format)) {
    const hint = `Its name ends with one of ${FORMATS.join(", ")}.`;
    throw new FieldProblem(notice("caution", "This kind of file cannot be a document", hint));
  }
  return {
    documentId: text("documentId"),
    title: text("documentTitle"),
    documentType: text("documentType"),
    format,
    file,
  };
}

async function sha256(file: File): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", await file.arrayBuffer()));
  return `0x${[...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

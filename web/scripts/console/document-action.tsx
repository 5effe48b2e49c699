import type { Child } from "hono/jsx";
import { render } from "hono/jsx/dom";
import type { ConsoleAccess, DocumentAction } from "../../owner/data.ts";
import { byConsole, postOnce } from "../lib/api.ts";
import { actions, button, byId } from "../lib/dom.tsx";
import { failureNotice } from "../lib/failures.tsx";
import { FieldProblem, fieldOf } from "../lib/form-values.ts";
import { showSteps } from "../lib/steps.tsx";
import { reloadSaying } from "./call-action.tsx";

/** Formats that the service stores, as files are named. Refused here, before anything is recorded. */
const FORMATS = ["md", "txt", "json", "yaml", "yml", "csv", "pdf"];

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

  function offer(problem?: Child): void {
    render([problem, actions(button("Publish the document", perform))], area);
  }

  async function perform(): Promise<void> {
    try {
      const { file, ...document } = described(form);
      const set = showSteps(area, {
        hash: "Hash the file in this page",
        record: "Record it",
        upload: "Upload it",
      });
      set("hash", "active");
      const contentHash = await sha256(file);
      set("hash", "done");
      set("record", "active");
      const data = { ...document, contentHash };
      await postOnce(credential, "/v1/chronicle", { tokenId, category: "document", data });
      const { documentId } = document;
      const { uploadUrl } = await postOnce<{ uploadUrl: string }>(
        credential,
        `/v1/soul-documents/${tokenId}/upload-url`,
        { tokenId, documentId, contentHash },
      );
      set("record", "done");
      set("upload", "active");
      const { pathname, search } = new URL(uploadUrl);
      await postOnce({}, `${pathname}${search}`, file);
      reloadSaying(`The document ${documentId} is published.`);
    } catch (error) {
      offer(failureNotice(error));
    }
  }
}

/** @throws FieldProblem */
function described(form: HTMLFormElement) {
  const text = (name: string) => fieldOf(form, name).value.trim();
  const [file] = (fieldOf(form, "documentFile") as HTMLInputElement).files ?? [];
  if (file === undefined) throw new FieldProblem("Choose the file");
  const format = file.name.split(".").at(-1)?.toLowerCase() ?? "";
  if (!FORMATS.includes(format)) {
    const hint = `Its name ends with one of ${FORMATS.join(", ")}.`;
    throw new FieldProblem("This kind of file cannot be a document", hint);
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

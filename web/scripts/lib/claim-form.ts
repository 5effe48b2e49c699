import type { IdentityEdit } from "../../../api/features/claims/index.ts";
import type { ClaimPageData } from "../../claims/page-data.ts";

/** The form of the claim page: counts characters, and opens what only a new prompt can change. */
export function claimForm(form: HTMLFormElement, { draft }: ClaimPageData) {
  const control = (name: string) =>
    form.elements.namedItem(name) as HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
  const text = (name: string) => control(name).value.trim();
  const ticked = (name: string) => (control(name) as HTMLInputElement).checked;
  const hasPrompt = () => text("systemPrompt") !== "";

  function refresh(): void {
    for (const counter of form.querySelectorAll<HTMLElement>("[data-counts]")) {
      const counted = control(counter.dataset.counts ?? "") as HTMLInputElement;
      counter.textContent = `${counted.value.length} of ${counted.maxLength} characters`;
    }
    for (const name of ["agentType", "agentDescription"]) control(name).disabled = !hasPrompt();
  }

  // Its fields are read when the owner signs; Enter in one of them must not leave the page.
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", refresh);
  refresh();

  function publicIdentity(): IdentityEdit | undefined {
    const before = draft.publicIdentity;
    const tags = tagsIn(text("tags"));
    const edit: Record<string, unknown> = {};
    for (const name of ["tagline", "bio", "website", "category"] as const) {
      const value = text(name);
      // Null takes away what the owner emptied.
      if (value !== (before[name] ?? "")) edit[name] = value === "" ? null : value;
    }
    if (tags.join("\n") !== (before.tags ?? []).join("\n")) {
      edit.tags = tags.length === 0 ? null : tags;
    }
    if (text("displayName") === "" && before.displayName !== undefined) edit.displayName = null;
    if (text("agentAvatarUrl") === "" && before.image !== undefined) edit.image = null;
    return Object.keys(edit).length === 0 ? undefined : edit;
  }

  /** `editedData` of `POST /v1/register/claim`: what the owner changed; undefined for nothing. */
  function edits(): Readonly<Record<string, unknown>> | undefined {
    const { agentType, agentDescription, birthBundle, publicIdentity: before } = draft;
    const changes: Record<string, unknown> = {};
    if (hasPrompt()) {
      changes.systemPrompt = control("systemPrompt").value;
      if (text("agentType") !== agentType) changes.agentType = text("agentType");
      const description = text("agentDescription");
      if (description !== (agentDescription ?? "")) changes.agentDescription = description;
    }
    const identity = publicIdentity();
    if (identity !== undefined) changes.publicIdentity = identity;
    const displayName = text("displayName");
    if (displayName !== "" && displayName !== before.displayName) changes.displayName = displayName;
    const image = text("agentAvatarUrl");
    if (image !== "" && image !== before.image) changes.agentAvatarUrl = image;
    if (ticked("x402Support") !== (before.x402Support ?? false)) {
      changes.x402Support = ticked("x402Support");
    }
    const birth = { note: text("note"), creatorName: text("creatorName") };
    const isNoteChanged = birth.note !== (birthBundle?.note ?? "");
    if (isNoteChanged || birth.creatorName !== (birthBundle?.creatorName ?? "")) {
      changes.birthBundle = birth;
    }
    return Object.keys(changes).length === 0 ? undefined : changes;
  }

  return {
    edits,
    seals: () => ticked("seal"),
    /** Whether the agent may exchange its provisional key. */
    agentKeeps: () => ticked("agentKeeps"),
    /** Whether the browser finds everything in form; says to its owner what is not. */
    isComplete: () => {
      // The browser says nothing about a field that is folded away.
      for (const wrong of form.querySelectorAll(":invalid")) {
        wrong.closest("details")?.setAttribute("open", "");
      }
      return form.reportValidity();
    },
  };
}

function tagsIn(text: string): string[] {
  return text
    .split(",")
    .map((tag) => tag.trim())
    .filter((tag) => tag !== "");
}

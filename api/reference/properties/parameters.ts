import type { PropertyTexts } from "./property-texts.ts";

/** Parameters that are described nowhere else. Keys as for properties, and `{operationId}.{name}`. */
export const parameterTexts: PropertyTexts = {
  "getArchivedContent.id": "Id of the content on permanent storage: 43 characters of base64url.",
  "getArchivedItem.id": "Id of the content on permanent storage: 43 characters of base64url.",
  "getRegistrationStatus.id": "Id of the registration, as the agent's registration returned it.",
  "getClaimDraft.id": "Id of the registration, from the claim's address.",
  "getChronicleRequest.id": "Id of the request, from the signing page's address.",
  limit: "Largest number of entries of a page.",
  page: "Number of the page, from 1.",
  offset: "How many entries to skip.",
  membersLimit: "Largest number of members of a page.",
  membersOffset: "How many members to skip.",
  name: "Name to look up: lower case, or lower-cased by the service.",
  "getStaticRegistrationFile.name": "The agent's name, or its token id.",
  type: "Only agents of this kind.",
  "listChronicles.category": "Only this category.",
  "listChronicles.changeType": "Only this kind of change.",
  includeDetails: "Whether each entry says what was recorded, and who stands behind it.",
  "listBindings.trustLevel": "Only this level of trust.",
  "listOrganizations.admin": "Only organizations of this admin.",
  "listInvitations.organizationId": "Only this organization's.",
  "listDisclosures.recipientDid": "Only disclosures to this recipient.",
  "listDisclosures.field": "Only disclosures of this field.",
  "uploadSoulDocument.token": "Token of the single-use address.",
  "x-svc-owner-signature":
    "The owner's signature with its message and signer, as base64url of JSON: the same object that a body would hold.",
};

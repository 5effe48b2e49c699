import type { OperationTable } from "../../platform/http/operations.ts";
import {
  BODY_BYTES,
  freshRead,
  ownerSigned,
  unlistedPage,
} from "../../platform/http/operations.ts";

const prepare = { ...freshRead, bodyBytes: BODY_BYTES, origins: "own" } as const;

/** Rules of the operations that end an epoch or a life, or begin the next one. */
export const operations = {
  resealAgent: { ...ownerSigned, typedData: "reseal", largeIntegers: "text" },
  prepareReseal: { ...prepare, largeIntegers: "text" },
  releaseAgent: { ...ownerSigned, typedData: "release" },
  prepareRelease: prepare,
  burnAgent: { ...ownerSigned, typedData: "burn" },
  prepareBurn: prepare,
  reincarnateAgent: {
    ...ownerSigned,
    typedData: "reincarnate",
    rate: "register",
    largeIntegers: "text",
  },
  prepareReincarnation: { ...prepare, largeIntegers: "text" },
  showSalePage: unlistedPage,
  showResealPage: unlistedPage,
  showBurnPage: unlistedPage,
  showReincarnatePage: unlistedPage,
} as const satisfies OperationTable;

import { isInstalled } from "./lib/run.ts";
import { helpText } from "./lib/usage.ts";
import { checkClaims } from "./proofs/claims.ts";

async function main(): Promise<number> {
  const chosen = process.argv.slice(2);
  if (chosen.includes("--help") || chosen.includes("-h")) {
    process.stdout.write(helpText("proofs"));
    return 0;
  }
  if (!(await isInstalled("z3", "--version"))) {
    console.error(
      "z3 was not found. Install it (Debian and Ubuntu: apt-get install z3; macOS: brew install z3).",
    );
    return 1;
  }
  const claims = checkClaims(chosen);
  for (const { file, title, outcome, detail } of claims) {
    console.log(`${outcome.padEnd(8)} ${file.replace(/^.*\/|\.smt2$/g, "")}: ${title}`);
    if (detail !== "") console.log(detail.replace(/^/gm, "    "));
  }
  const proved = claims.filter(({ outcome }) => outcome === "proved").length;
  console.log(`${proved} of ${claims.length} claims are proved.`);
  return claims.length > 0 && proved === claims.length ? 0 : 1;
}

process.exitCode = await main();

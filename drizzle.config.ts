import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "postgresql",
  schema: ["./api/platform/database/columns.ts", "./api/**/tables.ts"],
  out: "./api/platform/database/migrations",
});

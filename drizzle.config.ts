import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "postgresql",
  schema: "./api/platform/database/schema.ts",
  out: "./api/platform/database/migrations",
});

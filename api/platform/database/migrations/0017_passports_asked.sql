CREATE TABLE "app"."passport_asked" (
	"passport_id" numeric(78, 0) PRIMARY KEY NOT NULL
);

-- noteStateReading
insert into "state_reading" ("state_version_id", "actor_id", "credential_id", "way", "at")
  values ($1, $2, $3, $4, $5);

-- listStateReadings
select "subject_id", "actor_id", "credential_id", "way", "at"
  from (select "state_version_id" as "subject_id", "actor_id", "credential_id", "way", "at", "id", row_number()
      over(partition by "state_version_id" order by "id" desc) as "rank" from "state_reading" where "state_version_id"
      in ($1)) as "ranked"
  where "rank" <= $2
  order by "id" desc;

-- noteRecoveredStateReading
insert into "state_reading" ("recovered_state_id", "actor_id", "credential_id", "way", "at")
  values ($1, $2, $3, $4, $5);

-- listRecoveredStateReadings
select "subject_id", "actor_id", "credential_id", "way", "at"
  from (select "recovered_state_id" as "subject_id", "actor_id", "credential_id", "way", "at", "id", row_number()
      over(partition by "recovered_state_id" order by "id" desc) as "rank" from "state_reading" where
      "recovered_state_id" in ($1)) as "ranked"
  where "rank" <= $2
  order by "id" desc;

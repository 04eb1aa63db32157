-- toSponsor
-- sends nothing

-- setSponsor
update actor
  set sponsored_until = $1, sponsor_id = ( select case when inviter.sponsored_until > $2::timestamptz then
      inviter.sponsor_id else inviter.id end from actor inviter where inviter.id = $3)
  where id = $4;

-- listSponsorIds
select "sponsor_id"
  from "actor"
  where "id" in ($1)
  and "sponsored_until" > $2
  order by "sponsor_id";

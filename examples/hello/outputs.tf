output "url" {
  description = "Where the service would answer."
  value       = "https://${terraform_data.dns.output.record}"
}

output "service_version" {
  value = terraform_data.service.output.version
}

output "subnets" {
  value = { for key, subnet in terraform_data.subnet : key => subnet.output.cidr }
}

output "database_url" {
  value     = terraform_data.database.output.url
  sensitive = true
}

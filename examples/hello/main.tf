# A tiny environment made of terraform_data alone: it needs no provider, no cloud account and no network,
# and works with Terraform 1.5 and newer and with OpenTofu.
terraform {
  required_version = ">= 1.5"
}

locals {
  name = "hello-${var.environment}"

  # Only the password is sensitive; without one, the address is still kept out of plans and logs.
  database_login = var.database_password == null ? "hello" : "hello:${var.database_password}"
}

resource "terraform_data" "network" {
  input = {
    name = local.name
    cidr = "10.20.0.0/16"
  }
}

resource "terraform_data" "subnet" {
  for_each = { a = 1, b = 2 }

  input = {
    network = terraform_data.network.output.name
    name    = "${local.name}-${each.key}"
    cidr    = cidrsubnet(terraform_data.network.output.cidr, 8, each.value)
  }
}

resource "terraform_data" "database" {
  input = {
    name    = "${local.name}-db"
    subnets = [for subnet in terraform_data.subnet : subnet.output.name]
    url     = sensitive("postgres://${local.database_login}@db.${local.name}.internal:5432/hello")
  }
}

# A new version replaces the service, and creating it takes a few seconds: long enough to watch the log.
resource "terraform_data" "service" {
  triggers_replace = [var.service_version]

  input = {
    name     = "${local.name}-web"
    version  = var.service_version
    database = terraform_data.database.output.name
  }

  provisioner "local-exec" {
    command = <<-SHELL
      echo "Rolling out version $SERVICE_VERSION"
      for step in 1 2 3 4; do
        echo "instance $step of 4 is starting"
        sleep 1
      done
      echo "all instances answer"
    SHELL

    environment = {
      SERVICE_VERSION = var.service_version
    }
  }
}

resource "terraform_data" "dns" {
  input = {
    record = "${local.name}.example.com"
    target = terraform_data.service.output.name
  }
}

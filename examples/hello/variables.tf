variable "environment" {
  description = "Names everything: hello-<environment>."
  type        = string
  default     = "dev"
}

variable "service_version" {
  description = "The version that is rolled out; another one replaces the service."
  type        = string
  default     = "1.0.0"
}

variable "database_password" {
  description = "Password of the database; null leaves it out."
  type        = string
  default     = null
  sensitive   = true
}
